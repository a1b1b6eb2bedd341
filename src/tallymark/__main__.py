"""python -m tallymark"""

from .cli import main

raise SystemExit(main())
