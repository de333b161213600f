rule compute_bounds:
    input:
        lambda wildcards: plan.instances(plan.config.bounds[wildcards.name].instances),
    output:
        f"{plan.data}/bounds/{{name}}.parquet",
    log:
        f"{plan.data}/logs/bounds/{{name}}.log",
    conda:
        "../../environment.yml"
    params:
        block=lambda wildcards: plan.block("bounds", wildcards.name),
        about=lambda wildcards: plan.about("bounds", wildcards.name, "bounds"),
    script:
        "../scripts/compute_bounds.py"


rule compute_eigenvalues:
    output:
        f"{plan.data}/eigenvalues/{{name}}.parquet",
    log:
        f"{plan.data}/logs/eigenvalues/{{name}}.log",
    conda:
        "../../environment.yml"
    params:
        block=lambda wildcards: plan.block("eigenvalues", wildcards.name),
        about=lambda wildcards: plan.about("eigenvalues", wildcards.name, "eigenvalues"),
    script:
        "../scripts/compute_eigenvalues.py"
