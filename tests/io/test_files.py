"""Text and JSON on disk: strict reading, and writing that is whole or not at all."""

import json

import pytest

from epochbandits.io import files
from epochbandits.validation import InputError


def test_checked_json_comes_back_without_its_checksum(tmp_path):
    path = tmp_path / "a.json"
    files.write_sealed(path, {"c": 0.5, "name": "ε"})
    assert files.read_sealed(path) == {"c": 0.5, "name": "ε"}
    assert "digest" in json.loads(path.read_text())


@pytest.mark.parametrize("change", [{"c": 0.6}, {"new": 1}, {"digest": "0"}])
def test_changed_json_is_refused(tmp_path, change):
    path = tmp_path / "a.json"
    files.write_sealed(path, {"c": 0.5})
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(InputError, match=r"a\.json: was changed after it was written"):
        files.read_sealed(path)


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.txt"
    files.write_text(path, "old")

    def fail():
        with files.replacing(path) as temporary:
            temporary.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    files.write_text(link, "text")
    assert link.is_symlink()
    assert target.read_text() == "text"


def test_no_more_than_the_limit_is_read(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("12345")
    assert files.read_text(path, "text", 5) == "12345"
    with pytest.raises(InputError, match=r"larger than .* MB, the limit for text files"):
        files.read_text(path, "text", 4)


def test_a_missing_folder_is_created_and_a_file_is_not_a_folder(tmp_path):
    files.check_writable(tmp_path / "new" / "deep")
    assert (tmp_path / "new" / "deep").is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file: cannot be written to"):
        files.check_writable(tmp_path / "file")
