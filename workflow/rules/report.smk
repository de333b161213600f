# One HTML file with the verdicts and all figures in it.
rule build_page:
    input:
        claims=layout.claims,
        pictures=plan.pictures,
        sidecars=[layout.sidecar(figure) for figure in plan.config.figures],
        data=[layout.plotted(figure) for figure in plan.config.figures],
    output:
        page=layout.page,
    log:
        layout.log("page"),
    conda:
        "../../environment.yml"
    params:
        task=plan.page,
    script:
        "../scripts/build_page.py"
