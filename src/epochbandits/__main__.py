"""``python -m epochbandits``."""

import sys

from epochbandits.cli import main

sys.exit(main())
