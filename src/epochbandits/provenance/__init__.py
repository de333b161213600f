"""What a result depends on: a hash of the code (`code_hash`), and library `versions`."""
