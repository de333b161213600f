rule aggregate_experiment:
    input:
        stale=lambda wildcards: renewed(
            of(wildcards).layout.curves(wildcards.experiment),
            of(wildcards).layout.finals(wildcards.experiment),
        ),
        shards=lambda wildcards: list(
            of(wildcards).simulations.shards(wildcards.experiment)
        ),
        instances=lambda wildcards: list(
            of(wildcards).instances.folders("experiments", wildcards.experiment)
        ),
    output:
        curves=layout.curves("{experiment}"),
        finals=layout.finals("{experiment}"),
    log:
        layout.log("aggregates", "{experiment}"),
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: of(wildcards).simulations.aggregation(
            wildcards.experiment
        ),
    script:
        "../scripts/aggregate_experiment.py"
