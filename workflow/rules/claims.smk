# The verdicts on the claims of the paper or, for the run of the studies, on their statements.
rule assess_claims:
    input:
        stale=lambda wildcards: force_if_stale(
            plan_for(wildcards).layout.figures.claims
        ),
        tables=lambda wildcards: plan_for(wildcards).tables,
        instances=lambda wildcards: list(plan_for(wildcards).ledger["sets"]),
    output:
        claims=layout.figures.claims,
    log:
        layout.log("claims"),
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: plan_for(wildcards).ledger,
    script:
        "../scripts/assess_claims.py"
