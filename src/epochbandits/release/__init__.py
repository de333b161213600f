"""What is published: copying a run, the README's ledger, generated pages, and `verify`."""
