rule aggregate_experiment:
    input:
        stale=lambda wildcards: force_if_stale(
            plan_for(wildcards).layout.curves(wildcards.experiment),
            plan_for(wildcards).layout.finals(wildcards.experiment),
        ),
        shards=lambda wildcards: list(
            plan_for(wildcards).simulations.shards(wildcards.experiment)
        ),
        instances=lambda wildcards: list(
            plan_for(wildcards).instances.folders("experiments", wildcards.experiment)
        ),
    output:
        curves=layout.curves("{experiment}"),
        finals=layout.finals("{experiment}"),
    log:
        layout.log("aggregates", "{experiment}"),
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: plan_for(wildcards).simulations.aggregation(
            wildcards.experiment
        ),
    script:
        "../scripts/aggregate_experiment.py"
