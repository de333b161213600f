rule aggregate_experiment:
    input:
        lambda wildcards: renewed(layout.curves(wildcards.experiment)),
        lambda wildcards: renewed(layout.finals(wildcards.experiment)),
        shards=lambda wildcards: list(plan.shards(wildcards.experiment)),
        instances=lambda wildcards: plan.instance_folders(
            "experiments", wildcards.experiment
        ),
    output:
        curves=layout.curves("{experiment}"),
        finals=layout.finals("{experiment}"),
    log:
        layout.log("aggregates", "{experiment}"),
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: plan.aggregation(wildcards.experiment),
    script:
        "../scripts/aggregate_experiment.py"
