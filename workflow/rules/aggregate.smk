rule aggregate_experiment:
    input:
        lambda wildcards: renewed(of(wildcards).layout.curves(wildcards.experiment)),
        lambda wildcards: renewed(of(wildcards).layout.finals(wildcards.experiment)),
        shards=lambda wildcards: list(of(wildcards).shards(wildcards.experiment)),
        instances=lambda wildcards: of(wildcards).instance_folders(
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
        task=lambda wildcards: of(wildcards).aggregation(wildcards.experiment),
    script:
        "../scripts/aggregate_experiment.py"
