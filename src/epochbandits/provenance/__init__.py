"""What a result depends on: a hash of the code (`code_hash`), and the `versions` of libraries."""
