"""``python -m privboost`` is the same as ``privboost``."""

from __future__ import annotations

import sys

from privboost.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
