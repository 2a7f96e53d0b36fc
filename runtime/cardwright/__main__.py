"""`python -m cardwright` is the command `cardwright`."""

from cardwright.cli import main

main()
