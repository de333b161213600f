# One HTML file with the verdicts and all figures in it.
rule build_page:
    input:
        stale=lambda wildcards: force_if_stale(plan_for(wildcards).layout.figures.page),
        claims=layout.figures.claims,
        figures=lambda wildcards: list(plan_for(wildcards).figures.keys(CAPTIONS)),
    output:
        page=layout.figures.page,
    log:
        layout.log("page"),
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: plan_for(wildcards).page(CAPTIONS),
    script:
        "../scripts/build_page.py"
