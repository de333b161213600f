# One HTML file with the verdicts and all figures in it.
rule build_page:
    input:
        lambda wildcards: renewed(layout.figures.page),
        claims=layout.figures.claims,
        pictures=plan.pictures,
        sidecars=[layout.figures.sidecar(figure) for figure in plan.config.figures],
        data=[layout.figures.plotted(figure) for figure in plan.config.figures],
    output:
        page=layout.figures.page,
    log:
        layout.log("page"),
    conda:
        "../../environment.yml"
    params:
        task=plan.page(CAPTIONS),
    script:
        "../scripts/build_page.py"
