rule assess_claims:
    input:
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
