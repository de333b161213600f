rule make_instances:
    input:
        stale=lambda wildcards: renewed(of(wildcards).layout.instances(wildcards.name)),
    output:
        folder=directory(layout.instances("{name}")),
    log:
        layout.log("instances", "{name}"),
    priority: FIRST
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: of(wildcards).instances.task(wildcards.name),
    script:
        "../scripts/make_instances.py"
