# One HTML file with the verdicts and all figures in it.
rule build_page:
    input:
        plan.claims,
        plan.figure_files,
        expand(f"{plan.figures}/{{figure}}.json", figure=plan.config.figures),
        expand(f"{plan.figures}/data/{{figure}}.parquet", figure=plan.config.figures),
    output:
        plan.page,
    log:
        f"{plan.data}/logs/page.log",
    conda:
        "../../environment.yml"
    params:
        figures=list(plan.config.figures),
        code=plan.page_code,
    script:
        "../scripts/build_page.py"
