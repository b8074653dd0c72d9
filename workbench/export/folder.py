"""Export folders on disk: written whole or not at all, read without following a link or filling the memory."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from workbench.errors import FileError, WorkbenchError
from workbench.export.formats import Files
from workbench.export.manifest import MANIFEST, SIGNATURE, read_manifest
from workbench.reels.files import read_file

MAX_FILES = 1000
MAX_FOLDER_BYTES = 64 << 20


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder whole or not at all: a temporary sibling, fsync, rename.

    An earlier export is replaced, an empty folder filled; FileError if anything else is there. Between two renames there
    is no folder of the name: who reads at that moment finds none, never half of one.
    """
    folder = Path(os.path.abspath(folder))
    _check_place(folder)
    beside = f".{folder.name}."
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(dir=folder.parent, prefix=beside))
        try:
            whole, earlier = work / "whole", work / "earlier"
            _fill(whole, files)
            _swap(folder, whole, earlier)
            _sync(folder.parent)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    except OSError as error:
        raise FileError(f"{folder}: can't be written ({error.strerror})") from None


def _fill(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir()
    for name, data in files.items():
        with (folder / name).open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    _sync(folder)


def _swap(folder: Path, whole: Path, earlier: Path) -> None:
    """Put the whole folder in the place of the earlier one, which comes back if that fails."""
    if os.path.lexists(folder):
        folder.rename(earlier)
    try:
        whole.rename(folder)
    except BaseException:
        if os.path.lexists(earlier):
            earlier.rename(folder)
        raise


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _check_place(folder: Path) -> None:
    """FileError unless nothing is there, or an empty folder, or an export and nothing else."""
    if not os.path.lexists(folder):
        return
    try:
        found = read_folder(folder)
        listed = read_manifest(found[MANIFEST], MANIFEST).files if found else {}
        strange = sorted(set(found) - {MANIFEST, SIGNATURE, *listed})
    except (WorkbenchError, KeyError):
        strange = [""]
    if strange:
        what = (
            f"holds {strange[0]!r}, which no export listed" if strange[0] else "is there and isn't an export"
        )
        raise FileError(f"{folder}: {what}; nothing else is overwritten")


def read_folder(folder: Path) -> Files:
    """Every file of an export by name; FileError if anything is no plain file, or there is too much of it."""
    found: Files = {}
    try:
        with os.scandir(folder) as entries:
            names = sorted((entry.name, entry.is_file(follow_symlinks=False)) for entry in entries)
    except OSError as error:
        raise FileError(f"{folder}: can't be read ({error.strerror})") from None
    if len(names) > MAX_FILES:
        raise FileError(f"{folder}: must hold at most {MAX_FILES} files, but holds {len(names)}")
    left = MAX_FOLDER_BYTES
    for name, plain in names:
        if not plain:
            raise FileError(f"{folder / name}: must be a file, but is a folder, a link or a device")
        found[name] = read_file(folder / name)
        left -= len(found[name])
        if left < 0:
            raise FileError(f"{folder}: must hold at most {MAX_FOLDER_BYTES} bytes")
    return found
