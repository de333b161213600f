# The verdicts on the claims of the paper or, for the run of the studies, on their statements.
rule assess_claims:
    input:
        stale=lambda wildcards: renewed(of(wildcards).layout.figures.claims),
        tables=lambda wildcards: of(wildcards).tables,
        instances=lambda wildcards: list(of(wildcards).ledger["sets"]),
    output:
        claims=layout.figures.claims,
    log:
        layout.log("claims"),
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: of(wildcards).ledger,
    script:
        "../scripts/assess_claims.py"
