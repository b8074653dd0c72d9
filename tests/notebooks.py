"""Notebooks executed from a clean kernel, their outputs kept as plain as they can be.

    python -m tests.notebooks            executes the course anew and stores what comes out

Kept are texts, tables and pictures; not numbers of executions, times or what a kernel says of itself.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "notebooks"
# shows itself by widgets, which only a browser runs
DESK = "desk.ipynb"
# seconds a cell may take; the first that evaluates compiles the kernels, which alone takes a minute or two
LONGEST = 300
# the bytes of a picture follow the fonts and libraries of the machine
PICTURE = re.compile(r"base64,[^\"']*")


def course() -> list[Path]:
    """The notebooks in reading order."""
    return [path for path in sorted(FOLDER.glob("*.ipynb")) if path.name != DESK]


def executed(path: Path) -> Any:
    """The notebook with fresh outputs; nbclient's errors where a cell fails or takes too long."""
    import nbformat
    from nbclient import NotebookClient

    found = nbformat.read(path, as_version=4)
    # a picture is the same wherever it is drawn
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    where = {"metadata": {"path": str(path.parent)}}
    NotebookClient(found, timeout=LONGEST, kernel_name="python3", resources=where).execute()
    for cell in found.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                output.pop("execution_count", None)
                if output.output_type == "execute_result":
                    output.execution_count = None
    found.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return found


def texts(notebook: Any) -> list[tuple[str, list[str]]]:
    """By code cell what it printed and returned, as text and tables; of pictures only that they are there."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            said = [
                o.text if o.output_type == "stream" else _returned(o.get("data", {})) for o in cell.outputs
            ]
            found.append((cell.id, said))
    return found


def _returned(data: Any) -> str:
    shown = data.get("text/plain", "") + data.get("text/html", "")
    return PICTURE.sub("base64,", shown) + ("picture" if "image/png" in data else "")


if __name__ == "__main__":
    import nbformat

    for one in [Path(name) for name in sys.argv[1:]] or course():
        nbformat.write(executed(one), one)
        print(one.name)
