rule make_instances:
    output:
        folder=directory(layout.instances("{name}")),
    log:
        layout.log("instances", "{name}"),
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: of(wildcards).instance_set(wildcards.name),
    script:
        "../scripts/make_instances.py"
