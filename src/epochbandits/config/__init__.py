"""The configuration of a run: YAML files go in, a validated `Config` or an `InputError` comes out.

`fields` has the types of values; `models`, `instance_sets` and `thresholds` the blocks and their
keys; `checks` what concerns several blocks; `reading` strict YAML; `loading` the merging of files
and the explanation of errors.
"""

from epochbandits.config.loading import load, load_files, locating, merge
from epochbandits.config.models import Config
from epochbandits.config.reading import read_yaml

__all__ = ["Config", "load", "load_files", "locating", "merge", "read_yaml"]
