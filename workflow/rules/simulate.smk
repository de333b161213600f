# Compiling once, before the simulations: eight of them would otherwise do it eight times. It has no
# hash of the code: Snakemake looks no further than a job that has to run again, so that simulations,
# which take it as ancient, would not be seen to need it too. They compile what was edited themselves.
rule compile_engine:
    output:
        f"{plan.data}/compiled.txt",
    log:
        f"{plan.data}/logs/compile.log",
    conda:
        "../../environment.yml"
    threads: 8
    script:
        "../scripts/compile_engine.py"


# The runs of a policy in an experiment (or of several, joined with +) for a block of seeds, on all
# its instances and discounts.
rule simulate_shard:
    input:
        compiled=ancient(f"{plan.data}/compiled.txt"),
        instances=lambda wildcards: plan.instance_folders(wildcards.experiment),
        tuned=lambda wildcards: plan.tuned(wildcards.experiment, wildcards.policies),
    output:
        f"{plan.data}/shards/{{experiment}}/{{policies}}/{{first}}-{{stop}}.parquet",
    log:
        f"{plan.data}/logs/shards/{{experiment}}/{{policies}}/{{first}}-{{stop}}.log",
    wildcard_constraints:
        first=r"\d+",
        stop=r"\d+",
    conda:
        "../../environment.yml"
    params:
        tasks=lambda wildcards: plan.tasks(wildcards.experiment, wildcards.policies),
        key=lambda wildcards: plan.key(wildcards.experiment, wildcards.policies),
        code=lambda wildcards: plan.codes(wildcards.policies),
    script:
        "../scripts/simulate_shard.py"
