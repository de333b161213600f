rule draw_figure:
    input:
        unpack(lambda wildcards: plan.figure_inputs(wildcards.figure)),
    output:
        report(
            f"{plan.figures}/{{figure}}.svg",
            caption="../report/figure.rst",
            category="Figures",
            labels={"figure": "{figure}"},
        ),
        multiext(f"{plan.figures}/{{figure}}", ".pdf", ".png", ".json"),
        f"{plan.figures}/data/{{figure}}.parquet",
    log:
        f"{plan.data}/logs/figures/{{figure}}.log",
    conda:
        "../../environment.yml"
    params:
        settings=lambda wildcards: plan.figure_settings(wildcards.figure),
        about=lambda wildcards: plan.figure_about(wildcards.figure, CAPTIONS),
        stamp=plan.config.stamp,
        code=lambda wildcards: plan.figure_code(wildcards.figure),
    script:
        "../scripts/draw_figure.py"
