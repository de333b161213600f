# Compile once, before the simulations: eight of them would otherwise do it eight times. The rule has
# no parameters and no hash of the code: an edit would rerun it, and Snakemake does not look behind a job
# that reruns, so it would miss that the simulations, which take this file as ancient, must run again
# too. A simulation compiles edited code itself.
rule compile_engine:
    output:
        policies=layout.compiled,
    log:
        layout.log("compile"),
    conda:
        "../../environment.yml"
    script:
        "../scripts/compile_engine.py"


# The runs of a bundle of policies in an experiment, for a block of seeds, on all its instances and
# discounts. A bundle is named after its first policy.
rule simulate_shard:
    input:
        lambda wildcards: renewed(
            of(wildcards).layout.shard(
                wildcards.experiment, wildcards.bundle, wildcards.first, wildcards.stop
            )
        ),
        compiled=ancient(layout.compiled),
        instances=lambda wildcards: of(wildcards).instance_folders(
            "experiments", wildcards.experiment
        ),
        tuned=lambda wildcards: of(wildcards).tuned_files(
            wildcards.experiment, wildcards.bundle
        ),
    output:
        shard=layout.shard("{experiment}", "{bundle}", "{first}", "{stop}"),
    log:
        layout.log("shards", "{experiment}", "{bundle}", "{first}-{stop}"),
    wildcard_constraints:
        first=r"\d+",
        stop=r"\d+",
    # The longest jobs first: one that started last would run alone at the end.
    priority: lambda wildcards: costs(wildcards.run).of("simulate_shard", wildcards)
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: of(wildcards).simulation(
            wildcards.experiment, wildcards.bundle
        ),
    script:
        "../scripts/simulate_shard.py"


# The value of a policy's parameter that did best in an experiment on tuning instances.
rule choose_tuned:
    input:
        lambda wildcards: renewed(
            of(wildcards).layout.tuned(wildcards.experiment, wildcards.policy)
        ),
        shards=lambda wildcards: list(
            of(wildcards).shards(wildcards.experiment, wildcards.policy)
        ),
        instances=lambda wildcards: of(wildcards).instance_folders(
            "experiments", wildcards.experiment
        ),
    output:
        chosen=layout.tuned("{experiment}", "{policy}"),
    log:
        layout.log("tuned", "{experiment}", "{policy}"),
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: of(wildcards).tuning(
            wildcards.experiment, wildcards.policy
        ),
    script:
        "../scripts/choose_tuned.py"
