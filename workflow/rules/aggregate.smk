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


# The value of a policy's parameter that did best in an experiment on tuning instances.
rule choose_tuned:
    input:
        stale=lambda wildcards: force_if_stale(
            plan_for(wildcards).layout.tuned(wildcards.experiment, wildcards.policy)
        ),
        shards=lambda wildcards: list(
            plan_for(wildcards).simulations.shards(
                wildcards.experiment, wildcards.policy
            )
        ),
        instances=lambda wildcards: list(
            plan_for(wildcards).instances.folders("experiments", wildcards.experiment)
        ),
    output:
        chosen=layout.tuned("{experiment}", "{policy}"),
    log:
        layout.log("tuned", "{experiment}", "{policy}"),
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: plan_for(wildcards).simulations.tuning(
            wildcards.experiment, wildcards.policy
        ),
    script:
        "../scripts/choose_tuned.py"
