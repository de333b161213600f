rule make_instances:
    output:
        directory(f"{plan.data}/instances/{{name}}"),
    log:
        f"{plan.data}/logs/instances/{{name}}.log",
    conda:
        "../../environment.yml"
    params:
        block=lambda wildcards: plan.instance_set(wildcards.name),
        about=lambda wildcards: plan.about("instances", wildcards.name, "instance_sets"),
    script:
        "../scripts/make_instances.py"
