"""The log of a job that cannot be written."""

import pytest

from epochbandits.pipeline.logs import logged


def test_a_log_that_cannot_be_opened_is_one_sentence(tmp_path, capsys):
    (tmp_path / "logs").write_text("a file where a folder was")
    with pytest.raises(SystemExit) as ended, logged(tmp_path / "logs" / "job.log"):
        raise AssertionError("the job must not start")
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith("job.log: cannot be written: Not a directory\n")
