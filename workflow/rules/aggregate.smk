rule choose_tuned:
    input:
        lambda wildcards: list(plan.shards(wildcards.experiment, wildcards.policy)),
        instances=lambda wildcards: plan.instance_folders(wildcards.experiment),
    output:
        f"{plan.data}/tuned/{{experiment}}/{{policy}}.json",
    log:
        f"{plan.data}/logs/tuned/{{experiment}}/{{policy}}.log",
    conda:
        "../../environment.yml"
    params:
        shards=lambda wildcards: plan.shards(wildcards.experiment, wildcards.policy),
        parameter=lambda wildcards: plan.tuned_parameter(wildcards.policy),
        about=lambda wildcards: plan.about(
            "experiments", wildcards.experiment, "aggregation"
        ),
    script:
        "../scripts/choose_tuned.py"


rule aggregate_experiment:
    input:
        lambda wildcards: list(plan.shards(wildcards.experiment)),
        instances=lambda wildcards: plan.instance_folders(wildcards.experiment),
    output:
        curves=f"{plan.data}/aggregates/{{experiment}}/curves.parquet",
        finals=f"{plan.data}/aggregates/{{experiment}}/finals.parquet",
    log:
        f"{plan.data}/logs/aggregates/{{experiment}}.log",
    conda:
        "../../environment.yml"
    params:
        job=lambda wildcards: plan.aggregation(wildcards.experiment),
    script:
        "../scripts/aggregate_experiment.py"
