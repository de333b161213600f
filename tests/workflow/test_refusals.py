"""Plain ``snakemake``: a configuration that it cannot read ends in our sentence."""

import os

import pytest

BAD = {
    "missing": (None, ": cannot be read: No such file or directory"),
    "folder": (..., ": cannot be read: Is a directory"),
    "binary": (b"\xff\xfe\x00", ": is not YAML: byte 0 is not UTF-8"),
    "tab": (b"run: a\nfigures:\n\tfig: 1\n", ", line 3: is not plain YAML: there is a tab"),
    "brace": (b"run: a\nroot: {x: 1\n", ", line 3: is not plain YAML: expected ',' or '}', but "
              "got the end of the file; is the { on line 2 closed?"),
    "list": (b"- a\n", ": must be a mapping of keys to values, such as 'run: mine'"),
}  # fmt: skip


@pytest.fixture(scope="module")
def project(make_project):
    return make_project("refusals")


def refused(output: str, sentence: str) -> bool:
    """Return whether a run ended with this sentence, and nothing of Snakemake after or before."""
    assert "Traceback" not in output
    assert "Error" not in output
    assert ".smk" not in output
    before, _, after = output.partition("Invalid configuration:\n")
    assert "refused" not in before
    assert len(after.splitlines()) == 1
    return sentence in after


def put(path, content):
    if content is ...:
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)


@pytest.mark.parametrize("kind", BAD)
def test_a_configuration_file_that_snakemake_cannot_read(kind, project):
    content, sentence = BAD[kind]
    put(project.folder / f"{kind}.yaml", content)
    output = project.snakemake("-n", "--configfile", f"{kind}.yaml", ok=False)
    assert refused(output, f"{kind}.yaml{sentence}")


def test_the_second_of_several_files(project):
    (project.folder / "good.yaml").write_text("run: good\n")
    output = project.snakemake("-n", "--configfiles", "good.yaml", "config/quik.yaml", ok=False)
    end = "cannot be read: No such file or directory (did you mean 'quick.yaml'?)"
    assert refused(output, f"config/quik.yaml: {end}")


def test_a_file_without_permission(project):
    path = project.folder / "locked.yaml"
    path.write_text("run: a\n")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read every file")
    output = project.snakemake("-n", "--configfile", "locked.yaml", ok=False)
    assert refused(output, "locked.yaml: cannot be read: Permission denied")


@pytest.mark.parametrize("kind", ["missing", "folder", "tab"])
def test_the_default_configuration(kind, make_project, tmp_path):
    """Also if the run is in another folder, which Snakemake has entered by then."""
    project = make_project("default_configuration")
    paper = project.folder / "config" / "paper.yaml"
    paper.unlink()
    put(paper, BAD[kind][0])
    assert refused(project.snakemake("-n", ok=False), f"{paper}{BAD[kind][1]}")
    output = project.snakemake("-n", "--directory", str(tmp_path), ok=False)
    assert refused(output, f"{paper}{BAD[kind][1]}")


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("root=-1", "--config: root: must be greater than or equal to 0, not -1"),
        ("seeds=3", "--config: seeds: unknown key; the keys here are"),
        ("root", "--config root: must be KEY=VALUE such as root=2"),
    ],
)
def test_the_command_line_is_blamed_and_no_file(value, sentence, project):
    output = project.snakemake("-n", "--config", value, ok=False)
    assert sentence in output
    assert "Traceback" not in output
    assert ".yaml" not in output.partition("Invalid configuration:\n")[2]
    assert ".smk" not in output


def test_other_workflows_keep_snakemakes_messages(project):
    """Even below the folder of the project: only its own Snakefile counts."""
    folder = project.folder / "other"
    folder.mkdir()
    (folder / "Snakefile").write_text('configfile: "tab.yaml"\n')
    put(folder / "tab.yaml", BAD["tab"][0])
    other = ("-n", "--directory", "other", "--snakefile", "other/Snakefile")
    for options in [(), ("--configfile", "other/tab.yaml")]:
        output = project.snakemake(*other, *options, ok=False)
        assert "Config file is not valid JSON or YAML." in output
        assert "refused" not in output
    output = project.snakemake(*other, "--configfile", "none.yaml", ok=False)
    assert "FileNotFoundError" in output
