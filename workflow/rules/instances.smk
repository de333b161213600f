rule make_instances:
    output:
        directory(f"{plan.data}/instances/{{name}}"),
    params:
        block=lambda wildcards: plan.instance_set(wildcards.name),
        code=code_hash("epochbandits.instance_sets"),
    log:
        f"{plan.data}/logs/instances/{{name}}.log",
    script:
        "../scripts/make_instances.py"
