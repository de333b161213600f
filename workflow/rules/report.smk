# One HTML file with the verdicts and all figures in it.
rule build_page:
    input:
        claims=plan.layout.figures.claims,
        pictures=plan.pictures,
        sidecars=plan.sidecars,
        data=plan.plotted,
    output:
        page=plan.layout.figures.page,
    log:
        plan.layout.log("page"),
    conda:
        "../../environment.yml"
    params:
        task=plan.page,
    script:
        "../scripts/build_page.py"


# The same for the studies, which have no verdicts.
rule build_studies_page:
    input:
        pictures=lambda _: studies().pictures,
        sidecars=lambda _: studies().sidecars,
        data=lambda _: studies().plotted,
    output:
        page=Layout("studies").figures.page,
    log:
        Layout("studies").log("page"),
    conda:
        "../../environment.yml"
    params:
        task=lambda _: studies().page,
    script:
        "../scripts/build_studies_page.py"
