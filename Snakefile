include: "workflow/Snakefile"


# An included file cannot say what is made by default.
rule default:
    default_target: True
    input:
        rules.all.input,
