rule check_inequalities:
    input:
        lambda wildcards: plan.inequality_folders(wildcards.name),
        compiled=ancient(f"{plan.data}/compiled.txt"),
    output:
        f"{plan.data}/inequalities/{{name}}.parquet",
    log:
        f"{plan.data}/logs/inequalities/{{name}}.log",
    conda:
        "../../environment.yml"
    params:
        block=lambda wildcards: plan.block("inequalities", wildcards.name),
        about=lambda wildcards: plan.about(
            "inequalities", wildcards.name, "inequalities"
        ),
    script:
        "../scripts/check_inequalities.py"


rule assess_claims:
    input:
        plan.tables,
    output:
        f"{plan.figures}/claims.json",
    log:
        f"{plan.data}/logs/claims.log",
    conda:
        "../../environment.yml"
    params:
        folder=lambda wildcards, input: Path(input[0]).parents[2],
        config=plan.config.model_dump(
            mode="json",
            by_alias=True,
            include={"claims", "experiments", "instances"},
            exclude={"experiments": {"__all__": {"seeds_per_job"}}},
        ),
        about=plan.claims_about,
    script:
        "../scripts/assess_claims.py"
