"""One pass over specs: parse, check, emit, and account for it."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from cardwright_generator.build import Build, file_digests
from cardwright_generator.digests import generator_digest, settings_digest, text_digest
from cardwright_generator.emit.entries import Entry
from cardwright_generator.emit.generate import Draft, draft_all, finish
from cardwright_generator.emit.lookup import Lookup
from cardwright_generator.emit.shared import render_shared
from cardwright_generator.installed import Installed, installed_catalogues
from cardwright_generator.manifest import Manifest, Source
from cardwright_generator.model.obligations import obligations
from cardwright_generator.model.schema import references
from cardwright_generator.project import Project
from cardwright_generator.spec import (
    CardFacts,
    Catalogue,
    Diagnostic,
    LoadedCard,
    LoadedCommon,
    ParsedFile,
    check_file,
    cross_check,
    facts_of,
    parse_file,
)
from cardwright_generator.spec.checking import neighbours
from cardwright_generator.spec.cross import settled
from cardwright_generator.spec.language import CardSpec, CommonSpec
from cardwright_generator.spec.nodes import schemas_of_card, schemas_of_types
from cardwright_generator.spec.positions import Positions
from cardwright_generator.spec.refs import parse_ref


class GeneratorError(RuntimeError):
    """The generator made Python that does not compile: a defect of its own."""


@dataclass(frozen=True, slots=True)
class Assembly:
    """The specs in `redo` are read and emitted; those in `kept` stand as the manifest has them."""

    project: Project
    known: Manifest
    content: Mapping[str, bytes]
    redo: frozenset[str]
    kept: Mapping[str, Source]

    def build(self) -> Build:
        """The result; without files when a spec is wrong."""
        installed = installed_catalogues(self.project)
        parsed = [parse_file(path, self.content[path]) for path in sorted(self._read())]
        texts = {file.path: file.text for file in parsed}
        diagnostics = self._diagnostics(parsed, installed)
        if any(found.severity == "error" for found in diagnostics):
            return Build({}, self.known, diagnostics, texts)
        lookup = Lookup(_catalogue(parsed), self.project.package, installed.commons)
        drafts = draft_all(lookup, self.project, self.redo)
        files = finish(drafts, render_shared(self._entries(drafts), self.project), self.project)
        _must_compile(files)
        return Build(files, self._manifest(parsed, drafts, files), diagnostics, texts)

    def _read(self) -> frozenset[str]:
        """Shared types are always read: any spec may refer to them."""
        return self.redo | {path for path, source in self.kept.items() if source.facts is None}

    def _diagnostics(
        self, parsed: list[ParsedFile], installed: Installed
    ) -> tuple[Diagnostic, ...]:
        unread = sorted(self.kept.keys() - self._read())
        others = [ParsedFile(path, "", Positions(), None) for path in unread]
        around = neighbours([*parsed, *others], self.project, installed.files)
        redone = [file for file in parsed if file.path in self.redo]
        found = [one for file in redone for one in check_file(file, around)]
        facts = [facts_of(file) for file in redone if isinstance(file.spec, CardSpec)]
        kept = (source.facts for source in self.kept.values())
        facts += [CardFacts.from_json(each) for each in kept if each is not None]
        known = installed.facts(frozenset(one.card for one in facts))
        return settled([*found, *cross_check(facts, known)])

    def _entries(self, drafts: list[Draft]) -> list[Entry]:
        kept = [Entry(**source.entry) for source in self.kept.values()]  # type: ignore[arg-type]  # written by asdict
        return sorted([*kept, *(draft.entry for draft in drafts)], key=lambda entry: entry.path)

    def _manifest(
        self, parsed: list[ParsedFile], drafts: list[Draft], files: Mapping[str, str]
    ) -> Manifest:
        specs = {file.path: file for file in parsed}
        made = {draft.entry.path: self._source(specs[draft.entry.path], draft) for draft in drafts}
        stay = {
            path: self.known.files[path] for source in self.kept.values() for path in source.files
        }
        return Manifest(
            generator=generator_digest(),
            settings=settings_digest(self.project),
            sources={**self.kept, **made},
            files={**stay, **file_digests(files)},
        )

    def _source(self, file: ParsedFile, draft: Draft) -> Source:
        card = file.spec if isinstance(file.spec, CardSpec) else None
        return Source(
            digest=text_digest(self.content[file.path]),
            uses=_uses(file),
            files=tuple(sorted(draft.files)),
            entry=asdict(draft.entry),
            facts=None if card is None else facts_of(file).as_json(),
            code={} if card is None else obligations(card, self.project.package),
        )


def legible(sources: Iterable[Source]) -> bool:
    """Whether what a manifest says of specs can stand in for reading them."""
    try:
        for source in sources:
            Entry(**source.entry)  # type: ignore[arg-type]  # this is the question
            if source.facts is not None:
                CardFacts.from_json(source.facts)
    except (AttributeError, KeyError, TypeError, ValueError):
        return False
    return True


def _catalogue(parsed: list[ParsedFile]) -> Catalogue:
    cards = [
        LoadedCard(f.path, f.text, f.spec, f.positions)
        for f in parsed
        if isinstance(f.spec, CardSpec)
    ]
    commons = [
        LoadedCommon(f.path, f.text, f.spec, f.positions)
        for f in parsed
        if isinstance(f.spec, CommonSpec)
    ]
    return Catalogue(tuple(cards), tuple(commons), ())


def _uses(file: ParsedFile) -> tuple[str, ...]:
    if file.spec is None:
        return ()
    nodes = [*schemas_of_types(file.spec.types)]
    nodes += [*schemas_of_card(file.spec)] if isinstance(file.spec, CardSpec) else []
    named = [ref for node in nodes for ref in references(node.schema)]
    named += [*file.spec.events] if isinstance(file.spec, CardSpec) else []
    refs = (parse_ref(ref) for ref in named)
    return tuple(sorted({ref.file_from(file.path) for ref in refs if ref is not None and ref.file}))


def _must_compile(files: Mapping[str, str]) -> None:
    for path, text in files.items():
        if path.endswith(".py"):
            try:
                compile(text, path, "exec", dont_inherit=True)
            except SyntaxError as error:
                message = f"{path}:{error.lineno}: generated code does not compile: {error.msg}"
                raise GeneratorError(message) from error
