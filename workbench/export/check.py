"""Whether an export is what its manifest says: signature, every file, what the files hold, the figures of the strips.

Files are held against the manifest by their SHA-256, and against the strip set by making them anew: an edited file whose
sum was edited as well doesn't pass. A workbook is read back instead, as its bytes hang on the library that wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from workbench.errors import FileError, WorkbenchError
from workbench.export.folder import read_folder
from workbench.export.formats import FORMATS, RECORD, XLSX, Files, production_files
from workbench.export.manifest import MANIFEST, SIGNATURE, Manifest, read_manifest
from workbench.export.signature import VerifyingKey, is_signed_by
from workbench.export.xlsx_tables import xlsx_strip_set
from workbench.game.definition import GameDefinition
from workbench.game.load import load_definition
from workbench.library import Loaded, find_definition, pick_definition
from workbench.reels.files import canonical_bytes, parse_strip_set, sha256_of
from workbench.reels.strip_set import StripSet
from workbench.verify import Check, Evaluate, against


def verify_export(
    folder: Path,
    game: str | None = None,
    key: VerifyingKey | None = None,
    evaluate: Evaluate | None = None,
) -> list[Check]:
    """All checks of an export folder; ``evaluate`` replaces the evaluation in tests.

    Raises FileError or StripSetError where the folder or its manifest can't be understood, and UsageError where no
    definition of its game is found.
    """
    files = read_folder(folder)
    if MANIFEST not in files:
        raise FileError(f"{folder}: must hold {MANIFEST}, but doesn't")
    manifest = read_manifest(files[MANIFEST], str(folder / MANIFEST))
    definition = _definition(game, manifest, folder)
    checks = [*_signature(files, key), _sums(files, manifest)]
    try:
        strips = parse_strip_set(files.get(RECORD, b""), definition, RECORD)
    except WorkbenchError as error:
        return [*checks, Check("strip set", False, str(error))]
    loaded = Loaded(folder / RECORD, sha256_of(files[RECORD]), definition, strips)
    return [
        *checks,
        _strip_set(loaded, manifest),
        _contents(strips, definition, manifest, files),
        *against(loaded, manifest.figures, evaluate=evaluate),
    ]


def _definition(game: str | None, manifest: Manifest, folder: Path) -> GameDefinition:
    if game is not None:
        return pick_definition(game, b"", str(folder))
    return load_definition(find_definition(manifest.game))


def _signature(files: Files, key: VerifyingKey | None) -> Iterator[Check]:
    """Nothing is said without a key but that it wasn't looked at."""
    signature = files.get(SIGNATURE)
    if key is None:
        if signature is not None:
            yield Check("signature", True, f"not looked at, as no --key is given ({SIGNATURE} is there)")
    elif signature is None:
        yield Check("signature", False, f"{SIGNATURE} is missing")
    elif is_signed_by(key, signature, files[MANIFEST]):
        yield Check("signature", True, f"{MANIFEST} is signed with the key")
    else:
        yield Check("signature", False, f"{SIGNATURE} is not that of {MANIFEST} with the key")


def _sums(files: Files, manifest: Manifest) -> Check:
    wrong = []
    for name in sorted({*files, *manifest.files} - {MANIFEST, SIGNATURE}):
        listed, data = manifest.files.get(name), files.get(name)
        if data is None:
            wrong.append(f"{name}: listed, but missing")
        elif listed is None:
            wrong.append(f"{name}: there, but not listed")
        elif (len(data), sha256_of(data)) != (listed.size, listed.sha256):
            wrong.append(
                f"{name}: listed are {listed.size} bytes, {listed.sha256}, but it has {len(data)}, {sha256_of(data)}"
            )
    return Check("files", not wrong, f"{len(manifest.files)} listed, {len(wrong)} wrong", tuple(wrong))


def _strip_set(loaded: Loaded, manifest: Manifest) -> Check:
    if loaded.sha256 != manifest.strip_set_sha256:
        text = f"{RECORD} has {loaded.sha256}, the manifest names {manifest.strip_set_sha256}"
        return Check("strip set", False, text)
    if loaded.sha256 != sha256_of(canonical_bytes(loaded.strips)):
        return Check("strip set", False, f"{RECORD} is not in the canonical layout")
    return Check("strip set", True, f"{loaded.strips.name} {loaded.sha256}")


def _contents(strips: StripSet, game: GameDefinition, manifest: Manifest, files: Files) -> Check:
    """Each file holds the strip set, as far as this program writes its format."""
    known = [name for name, version in manifest.formats.items() if FORMATS[name].version == version]
    made = production_files(strips, game, known, manifest.csv_cells)
    wrong = [
        f"{name}: is not what {RECORD} gives"
        for name, data in sorted(made.items())
        if name in files and not _holds(name, data, files[name], strips, game)
    ]
    wrong += [f"{name}: is no file of {', '.join(known)}" for name in sorted(set(manifest.files) - set(made))]
    other = len(manifest.formats) - len(known)
    text = f"{len(made)} files made anew from {RECORD}, {len(wrong)} differ"
    return Check(
        "contents", not wrong, text + (f"; {other} formats of other versions" if other else ""), tuple(wrong)
    )


def _holds(name: str, made: bytes, found: bytes, strips: StripSet, game: GameDefinition) -> bool:
    if name != XLSX or made == found:
        return made == found
    try:
        return canonical_bytes(xlsx_strip_set(found, game, name)) == canonical_bytes(strips)
    except WorkbenchError:
        return False
