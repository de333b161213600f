# One HTML file with the verdicts and all figures in it.
rule build_page:
    input:
        lambda wildcards: renewed(of(wildcards).layout.figures.page),
        claims=layout.figures.claims,
        pictures=lambda wildcards: of(wildcards).pictures,
        sidecars=lambda wildcards: of(wildcards).sidecars,
        data=lambda wildcards: of(wildcards).plotted,
    output:
        page=layout.figures.page,
    log:
        layout.log("page"),
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: of(wildcards).page(CAPTIONS),
    script:
        "../scripts/build_page.py"
