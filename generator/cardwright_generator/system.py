"""What the operating system refuses, said in one line."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from cardwright_generator.project import Project, ProjectError


@contextmanager
def one_line(project: Project) -> Generator[None]:
    """Turn an error of the system into a `ProjectError` that names the file and the reason."""
    try:
        yield
    except OSError as error:
        place = Path(str(error.filename or project.root / project.output))
        name = place.relative_to(project.root) if place.is_relative_to(project.root) else place
        message = f"{name}: {error.strerror or error}"
        raise ProjectError(message) from error
