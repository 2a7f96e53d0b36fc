"""`python -m cardwright_generator`: the generator's commands without the rest of `cardwright`."""

from cardwright_generator.cli import app

if __name__ == "__main__":
    app()
