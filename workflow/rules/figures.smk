rule draw_figure:
    input:
        lambda wildcards: plan.figure_inputs(wildcards.figure),
    output:
        multiext(f"{plan.figures}/{{figure}}", ".pdf", ".png", ".svg", ".json"),
        data=f"{plan.figures}/data/{{figure}}.parquet",
    log:
        f"{plan.data}/logs/figures/{{figure}}.log",
    script:
        "../scripts/draw_figure.py"
