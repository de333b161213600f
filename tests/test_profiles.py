"""The profiles: nothing of the default one is lost, and every job's need is stated."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
CLUSTERS = ("slurm", "cluster-generic")


def profile(name):
    return yaml.safe_load((ROOT / "profiles" / name / "config.yaml").read_text())


def rules():
    text = "".join(path.read_text() for path in (ROOT / "workflow" / "rules").glob("*.smk"))
    return set(re.findall(r"^rule (\w+):", text, re.M))


def local_rules():
    text = (ROOT / "workflow" / "Snakefile").read_text()
    return set(
        re.search(r"^localrules:\n((?: {4}\w+,\n)+)", text, re.M)[1].replace(",", "").split()
    )


@pytest.mark.parametrize("name", [*CLUSTERS, "large"])
def test_the_default_profiles_settings_are_kept(name):
    """With --profile Snakemake reads both: they must not contradict each other."""
    assert profile("default").items() <= profile(name).items()


@pytest.mark.parametrize("name", CLUSTERS)
def test_every_submitted_rule_says_what_it_needs(name):
    needs = profile(name)["set-resources"]
    assert set(needs) == rules() - local_rules()
    for rule, need in needs.items():
        assert set(need) == {"mem_mb", "runtime"}, rule


def test_both_clusters_ask_for_the_same():
    keys = ("set-resources", "default-resources", "retries", "jobs", "local-cores")
    slurm, generic = map(profile, CLUSTERS)
    assert [slurm[key] for key in keys] == [generic[key] for key in keys]


@pytest.mark.parametrize("name", CLUSTERS)
def test_the_guide_has_the_profiles_numbers(name):
    guide = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` .*\| (\d+ MB, \d+ min) \|$", guide, re.M))
    expected = {
        rule: "{mem_mb} MB, {runtime} min".format(
            **{key: value.removesuffix(" * attempt") for key, value in need.items()}
        )
        for rule, need in profile(name)["set-resources"].items()
    }
    assert rows == expected


@pytest.mark.parametrize("name", ["default", *CLUSTERS, "large"])
def test_no_profile_takes_files_from_an_earlier_run(name):
    """With trust-io-cache a result that was deleted after a dry run would count as present."""
    assert "trust-io-cache" not in profile(name)
