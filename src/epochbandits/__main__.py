"""``python -m epochbandits``."""

import sys

from epochbandits.cli.main import main

sys.exit(main())
