"""``python -m epochbandits`` is the command ``epochbandits``."""

import sys

from epochbandits.cli.main import main

sys.exit(main())
