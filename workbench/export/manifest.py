"""What an export says of itself: the SHA-256 of every file, of the strip set and its definition, the figures, the versions.

``manifest.json`` is in the canonical layout; ``manifest.sig`` beside it, where it is signed, is the Ed25519 signature of its
very bytes: 64 bytes that ``openssl pkeyutl -verify -rawin`` checks as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench import __version__
from workbench.errors import FileError
from workbench.export.csv_files import APOSTROPHE, EXACT
from workbench.export.formats import FORMATS, RECORD, Files, production_files
from workbench.game.definition import GameDefinition
from workbench.reels.files import canonical_json, parse_json, sha256_of, strip_set_sha256
from workbench.reels.strip_set import StripSet

FORMAT = "workbench.manifest/1"
MANIFEST = "manifest.json"
SIGNATURE = "manifest.sig"
FILE_NAME = re.compile(r"[a-z0-9_][a-z0-9_.-]{0,119}")
SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Listed:
    """A file as the manifest has it."""

    sha256: str
    size: int


@dataclass(frozen=True)
class Manifest:
    """A manifest that was read and has the right shape."""

    game: str
    strip_set_sha256: str
    files: Mapping[str, Listed]
    formats: Mapping[str, str]
    csv_cells: str
    figures: dict[str, Any]


def exported(
    strips: StripSet,
    game: GameDefinition,
    figures: Mapping[str, Any],
    formats: tuple[str, ...],
    cells: str = EXACT,
) -> Files:
    """The production files and their manifest; ``figures`` are those of the set's canonical file.

    Raises UsageError where a format can't hold the set's names.
    """
    files = production_files(strips, game, formats, cells)
    table = {
        "format": FORMAT,
        "game": game.game,
        "strip_set": strips.name,
        "strip_set_sha256": strip_set_sha256(strips),
        "definition_sha256": game.sha256,
        "workbench_version": __version__,
        "formats": {name: FORMATS[name].version for name in ("json", *formats)},
        "csv_cells": cells,
        "files": {name: {"sha256": sha256_of(data), "bytes": len(data)} for name, data in files.items()},
        "figures": dict(figures),
    }
    return {**files, MANIFEST: canonical_json(table)}


def read_manifest(data: bytes, where: str) -> Manifest:
    """A manifest from its bytes; FileError or StripSetError says what is wrong where.

    A name that isn't one an export gives (small letters, digits, ``_ . -``) is refused: none reaches out of the folder.
    """
    raw = parse_json(data, where)
    table = raw if isinstance(raw, dict) else {}
    if table.get("format") != FORMAT:
        raise FileError(f"{where}: format: must be {FORMAT!r}, but got {_short(table.get('format'))}")
    for key, kind in (("game", str), ("strip_set_sha256", str), ("formats", dict), ("figures", dict)):
        if not isinstance(table.get(key), kind):
            raise FileError(
                f"{where}: {key}: must be a {'table' if kind is dict else 'text'}, but got {_short(table.get(key))}"
            )
    return Manifest(
        game=table["game"],
        strip_set_sha256=table["strip_set_sha256"],
        files=_files(table.get("files"), where),
        formats=_formats(table["formats"], where),
        csv_cells=_csv_cells(table.get("csv_cells"), where),
        figures=table["figures"],
    )


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _files(value: object, where: str) -> Mapping[str, Listed]:
    if not isinstance(value, dict):
        raise FileError(f"{where}: files: must be a table, but got {_short(value)}")
    listed = {}
    for name, entry in value.items():
        if not FILE_NAME.fullmatch(name) or name in (MANIFEST, SIGNATURE):
            raise FileError(
                f"{where}: files: must be names of files in this folder (small letters, digits and _ . -),"
                f" but got {_short(name)}"
            )
        entry = entry if isinstance(entry, dict) else {}
        sha256, size = entry.get("sha256"), entry.get("bytes")
        if not (isinstance(sha256, str) and SHA256.fullmatch(sha256) and type(size) is int):
            raise FileError(
                f"{where}: files.{name}: must have 'sha256' (64 hex digits) and 'bytes' (a whole number)"
            )
        listed[name] = Listed(sha256, size)
    if RECORD not in listed:
        raise FileError(f"{where}: files: must list {RECORD}, but lists {_short(sorted(listed))}")
    return listed


def _formats(value: Mapping[str, object], where: str) -> Mapping[str, str]:
    for name, version in value.items():
        if name not in FORMATS or not isinstance(version, str):
            raise FileError(f"{where}: formats: must be among {', '.join(FORMATS)}, but got {_short(name)}")
    return {name: str(version) for name, version in value.items()}


def _csv_cells(value: object, where: str) -> str:
    if value not in (EXACT, APOSTROPHE):
        raise FileError(f"{where}: csv_cells: must be {EXACT!r} or {APOSTROPHE!r}, but got {_short(value)}")
    return str(value)
