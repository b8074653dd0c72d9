"""``workbench desk``: JupyterLab on the notebooks."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from workbench.errors import FileError, UsageError

FIRST = "desk.ipynb"


@click.command("desk")
@click.option("--no-browser", is_flag=True, help="Start the server only; it prints where it listens.")
@click.option(
    "--port", type=click.IntRange(1, 65535), help="Port of the server; else the first free one from 8888."
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="Folder of the notebooks; missing ones are copied into it. Else those that come with the workbench.",
)
def desk_command(no_browser: bool, port: int | None, folder: Path | None) -> None:
    """Open the desk in JupyterLab: tune a strip set by hand, every figure live.

    Notebooks of an installed workbench are copied into ./notebooks first, as they are to be written to. Ctrl-C ends it.

    \b
    Examples:
      workbench desk
      workbench desk --no-browser --port 8899
    """
    if find_spec("jupyterlab") is None:
        raise UsageError("desk: needs JupyterLab, which isn't installed; pip install jupyterlab ipywidgets")
    place = notebooks(folder)
    os.execv(sys.executable, server_command(place, no_browser, port))


def server_command(place: Path, no_browser: bool, port: int | None) -> list[str]:
    """The command line of the server that opens the first notebook."""
    command = [sys.executable, "-m", "jupyterlab", str(place / FIRST), f"--ServerApp.root_dir={place}"]
    # Ctrl-C ends it, without a question
    command.append("--ServerApp.answer_yes=True")
    if no_browser:
        command.append("--no-browser")
    if port is not None:
        command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    return command


def notebooks(folder: Path | None) -> Path:
    """The folder to open, with the notebooks in it; those that are there stay as they are.

    FileError if a notebook can't be written there.
    """
    from workbench.cache import is_writable

    source = _shipped()
    if folder is None and source.name == "notebooks" and is_writable(source) and _is_project(source):
        return source.absolute()
    place = Path("notebooks") if folder is None else folder
    try:
        place.mkdir(parents=True, exist_ok=True)
        for notebook in sorted(source.glob("*.ipynb")):
            if not (place / notebook.name).exists():
                shutil.copyfile(notebook, place / notebook.name)
    except OSError as error:
        raise FileError(f"{place}: can't be written ({os.strerror(error.errno or 0)})") from None
    return place.absolute()


def _is_project(source: Path) -> bool:
    return (source.parent / "pyproject.toml").is_file()


def _shipped() -> Path:
    """Those of the project an editable install stands in, else those inside the package."""
    package = Path(__file__).parents[1]
    project = package.parent / "notebooks"
    return project if _is_project(project) else package / "notebooks"
