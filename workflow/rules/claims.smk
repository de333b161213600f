rule assess_claims:
    input:
        lambda _: renewed(plan.layout.figures.claims),
        tables=plan.tables,
    output:
        claims=plan.layout.figures.claims,
    log:
        plan.layout.log("claims"),
    conda:
        "../../environment.yml"
    params:
        task=plan.ledger,
    script:
        "../scripts/assess_claims.py"


# The statements of the studies, in the same form.
rule assess_studies:
    input:
        lambda _: renewed(studies().layout.figures.claims),
        tables=lambda _: studies().tables,
    output:
        claims=Layout("studies").figures.claims,
    log:
        Layout("studies").log("claims"),
    conda:
        "../../environment.yml"
    params:
        task=lambda _: studies().ledger,
    script:
        "../scripts/assess_studies.py"
