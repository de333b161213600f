rule make_instances:
    input:
        stale=lambda wildcards: force_if_stale(
            plan_for(wildcards).layout.instances(wildcards.name)
        ),
    output:
        folder=directory(layout.instances("{name}")),
    log:
        layout.log("instances", "{name}"),
    priority: TOP_PRIORITY
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: plan_for(wildcards).instances.task(wildcards.name),
    script:
        "../scripts/make_instances.py"
