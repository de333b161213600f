rule draw_figure:
    input:
        unpack(lambda wildcards: plan.figure_inputs(wildcards.figure)),
    output:
        svg=report(
            layout.picture("{figure}", "svg"),
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "{figure}"},
        ),
        others=[layout.picture("{figure}", f) for f in FORMATS if f != "svg"],
        sidecar=layout.sidecar("{figure}"),
        data=layout.plotted("{figure}"),
    log:
        layout.log("figures", "{figure}"),
    conda:
        "../../environment.yml"
    params:
        folder=layout.figures,
        task=lambda wildcards: plan.figure(wildcards.figure, CAPTIONS),
    script:
        "../scripts/draw_figure.py"
