"""The command ``epochbandits``."""
