# Tables that need no experiment: the regret bounds, the eigenvalues of random chains, and both sides
# of the lemmas' and theorems' inequalities.
rule compute_bounds:
    input:
        stale=lambda wildcards: force_if_stale(
            plan_for(wildcards).layout.theory("bounds", wildcards.name)
        ),
        instances=lambda wildcards: list(
            plan_for(wildcards).instances.folders("bounds", wildcards.name)
        ),
    output:
        table=layout.theory("bounds", "{name}"),
    log:
        layout.log("bounds", "{name}"),
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: plan_for(wildcards).theory.task("bounds", wildcards.name),
    script:
        "../scripts/compute_bounds.py"


rule compute_eigenvalues:
    input:
        stale=lambda wildcards: force_if_stale(
            plan_for(wildcards).layout.theory("eigenvalues", wildcards.name)
        ),
    output:
        table=layout.theory("eigenvalues", "{name}"),
    log:
        layout.log("eigenvalues", "{name}"),
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: plan_for(wildcards).theory.task(
            "eigenvalues", wildcards.name
        ),
    script:
        "../scripts/compute_eigenvalues.py"


rule check_inequalities:
    input:
        stale=lambda wildcards: force_if_stale(
            plan_for(wildcards).layout.theory("inequalities", wildcards.name)
        ),
        instances=lambda wildcards: list(
            plan_for(wildcards).instances.folders("inequalities", wildcards.name)
        ),
        compiled=ancient(layout.compiled),
    output:
        table=layout.theory("inequalities", "{name}"),
    log:
        layout.log("inequalities", "{name}"),
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: plan_for(wildcards).theory.task(
            "inequalities", wildcards.name
        ),
    script:
        "../scripts/check_inequalities.py"
