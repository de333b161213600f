# One HTML file with the verdicts and all figures in it.
rule build_page:
    input:
        lambda _: renewed(plan.layout.figures.page),
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
        task=plan.page(CAPTIONS),
    script:
        "../scripts/build_page.py"


# The same for the studies.
rule build_studies_page:
    input:
        lambda _: renewed(studies().layout.figures.page),
        claims=Layout("studies").figures.claims,
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
        task=lambda _: studies().page(CAPTIONS),
    script:
        "../scripts/build_studies_page.py"
