rule draw_figure:
    input:
        unpack(lambda wildcards: plan_for(wildcards).figures.inputs(wildcards.figure)),
        stale=lambda wildcards: force_if_stale(
            plan_for(wildcards).layout.figures.sidecar(wildcards.figure),
            plan_for(wildcards).layout.figures.plotted(wildcards.figure),
        ),
    output:
        svg=report(
            layout.figures.picture("{figure}", "svg"),
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "{figure}"},
        ),
        others=[layout.figures.picture("{figure}", f) for f in FORMATS if f != "svg"],
        sidecar=layout.figures.sidecar("{figure}"),
        data=layout.figures.plotted("{figure}"),
    log:
        layout.log("figures", "{figure}"),
    conda:
        "../../environment.yml"
    params:
        task=lambda wildcards: plan_for(wildcards).figures.task(
            wildcards.figure, CAPTIONS
        ),
    script:
        "../scripts/draw_figure.py"
