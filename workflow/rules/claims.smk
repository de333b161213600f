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
