rule assess_claims:
    input:
        lambda wildcards: renewed(layout.figures.claims),
        tables=plan.tables,
    output:
        claims=layout.figures.claims,
    log:
        layout.log("claims"),
    conda:
        "../../environment.yml"
    params:
        task=plan.ledger,
    script:
        "../scripts/assess_claims.py"
