"""`python -m cardwright_generator generate`: the smallest entry; `cardwright` is the real one."""

import sys

from cardwright_generator.project import find_project
from cardwright_generator.run import generate_project


def main(arguments: list[str]) -> int:
    """Generate the project around the current folder; 0 when the tree is what the specs say."""
    if arguments[:1] != ["generate"]:
        sys.stderr.write("usage: python -m cardwright_generator generate [--force]\n")
        return 2
    outcome = generate_project(find_project(), force="--force" in arguments)
    if outcome.diagnostics:
        from cardwright_generator.spec import render_plain

        sys.stderr.write(render_plain(outcome.diagnostics, outcome.sources))
    report = outcome.report
    if report is None:
        return 1
    for word, paths in (("written", report.written), ("deleted", report.deleted), ("foreign", report.foreign)):
        sys.stdout.writelines(f"{word} {path}\n" for path in paths)
    sys.stdout.writelines(report.diffs.values())
    sys.stdout.write(f"{report.unchanged} files unchanged\n")
    return 0 if outcome.succeeded else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
