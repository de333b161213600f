"""The command ``epochbandits``: its options (`main`), its `commands`, and their output."""
