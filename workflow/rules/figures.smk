rule draw_figure:
    input:
        lambda wildcards: renewed(layout.figures.sidecar(wildcards.figure)),
        lambda wildcards: renewed(layout.figures.plotted(wildcards.figure)),
        unpack(lambda wildcards: plan.figure_inputs(wildcards.figure)),
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
        task=lambda wildcards: plan.figure(wildcards.figure, CAPTIONS),
    script:
        "../scripts/draw_figure.py"
