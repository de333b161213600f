"""Where no throw-away cluster is started: never over a real one's configuration."""

import os
from pathlib import Path

import pytest
import throwaway


@pytest.fixture
def conf(tmp_path, monkeypatch):
    """A machine that could start a cluster, with its configuration elsewhere."""
    monkeypatch.setattr(throwaway, "CONF", tmp_path / "slurm.conf")
    monkeypatch.setattr(throwaway, "PROGRAMS", ())
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return tmp_path / "slurm.conf"


def test_it_starts_where_there_is_none(conf):
    assert throwaway.why_not() is None


def test_a_real_clusters_configuration_is_left_alone(conf):
    conf.write_text("ClusterName=lab\n")
    assert "left alone" in throwaway.why_not()


def test_two_tests_do_not_share_it(conf):
    conf.write_text(f"{throwaway.OURS}{os.getpid()}\nClusterName=throwaway\n")
    assert "another test" in throwaway.why_not()


def test_what_a_killed_test_left_is_replaced(conf):
    dead = int(Path("/proc/sys/kernel/pid_max").read_text())  # no process has this number
    conf.write_text(f"{throwaway.OURS}{dead}\nClusterName=throwaway\n")
    assert throwaway.why_not() is None


def test_it_needs_root_and_the_packages(conf, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "root" in throwaway.why_not()
    monkeypatch.setattr(throwaway, "PROGRAMS", ("no-such-slurmd",))
    assert "no-such-slurmd" in throwaway.why_not()
