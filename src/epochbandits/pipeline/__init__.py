"""What the workflow's jobs compute: instance sets, shards, aggregates, tables of the theory."""
