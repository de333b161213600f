"""Reading and writing: JSON and text (`files`), checked tables (`parquet`), all `schemas`."""
