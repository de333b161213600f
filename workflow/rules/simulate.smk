# Compiling once, before the simulations: eight of them would otherwise do it eight times.
rule compile_engine:
    output:
        f"{plan.data}/compiled.txt",
    params:
        code=plan.engine_code,
    log:
        f"{plan.data}/logs/compile.log",
    threads: workflow.cores
    script:
        "../scripts/compile_engine.py"


# A policy's runs in an experiment, for a block of seeds, on all instances and discounts.
rule simulate_shard:
    input:
        compiled=ancient(f"{plan.data}/compiled.txt"),
        instances=lambda wildcards: plan.instance_folders(wildcards.experiment),
        tuned=lambda wildcards: plan.tuned(wildcards.experiment, wildcards.policy),
    output:
        f"{plan.data}/shards/{{experiment}}/{{policy}}/{{first}}-{{stop}}.parquet",
    params:
        task=lambda wildcards: plan.task(wildcards.experiment, wildcards.policy)._asdict(),
        key=lambda wildcards: plan.key(wildcards.experiment, wildcards.policy),
    log:
        f"{plan.data}/logs/shards/{{experiment}}/{{policy}}/{{first}}-{{stop}}.log",
    wildcard_constraints:
        first=r"\d+",
        stop=r"\d+",
    script:
        "../scripts/simulate_shard.py"
