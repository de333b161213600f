"""Reading and writing: text and JSON (`files`), checked tables (`parquet`), their `schemas`."""
