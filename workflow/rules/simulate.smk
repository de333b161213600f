# Compile once, before the simulations; otherwise each of eight parallel jobs would compile. This rule has
# no parameters and no code hash on purpose: with them, an edit would rerun it, and since the simulations
# take its output as ancient, Snakemake would then not notice that they must rerun as well. A simulation
# compiles edited code itself.
rule compile_engine:
    output:
        policies=layout.compiled,
    log:
        layout.log("compile"),
    priority: TOP_PRIORITY
    conda:
        "../../environment.yml"
    script:
        "../scripts/compile_engine.py"


# Runs a bundle of policies of an experiment for a block of seeds, on all instances and discounts of
# the experiment. A bundle is named after its first policy.
rule simulate_shard:
    input:
        stale=lambda wildcards: force_if_stale(
            plan_for(wildcards).layout.shard(
                wildcards.experiment, wildcards.bundle, wildcards.first, wildcards.stop
            )
        ),
        compiled=ancient(layout.compiled),
        instances=lambda wildcards: list(
            plan_for(wildcards).instances.folders("experiments", wildcards.experiment)
        ),
        tuned=lambda wildcards: list(
            plan_for(wildcards).simulations.tuned(
                wildcards.experiment, wildcards.bundle
            )
        ),
    output:
        shard=layout.shard("{experiment}", "{bundle}", "{first}", "{stop}"),
    log:
        layout.log("shards", "{experiment}", "{bundle}", "{first}-{stop}"),
    wildcard_constraints:
        first=r"\d+",
        stop=r"\d+",
    # The longest jobs start first: started last, one would run alone at the end.
    priority: lambda wildcards: costs(wildcards.run).of("simulate_shard", wildcards)
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: plan_for(wildcards).simulations.task(
            wildcards.experiment, wildcards.bundle
        ),
    script:
        "../scripts/simulate_shard.py"
