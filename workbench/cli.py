"""The command line: parse, call, show. A command's module is imported when the command is asked for.

Exit codes: 0 done, 1 the answer is no, 2 the request can't be understood, 130 interrupted. Errors are one line on
stderr; ``WORKBENCH_DEBUG=1`` shows the traceback of an error of the workbench itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click

# Our systems of equations are small: threads of the linear algebra would only spin beside the work. Set before numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from workbench.commands.output import complain, silence
from workbench.errors import WorkbenchError
from workbench.solved import solved_table

INTERRUPTED = 130
# workbench.simulate.inputs.SOLVER; a copy, as importing it would import the simulator.
SOLVER = "workbench.solve_strategy"


@dataclass(frozen=True)
class Entry:
    """Where a command stands, and its line in ``workbench --help``."""

    module: str
    attribute: str
    help: str

    @property
    def exists(self) -> bool:
        """Whether the module is there, without importing its parents."""
        path = Path(__file__).parent.joinpath(*self.module.split(".")[1:])
        return path.with_suffix(".py").is_file()


COMMANDS = {
    "games": Entry("workbench.commands.games", "games_command", "The games and their strip sets."),
    "new": Entry("workbench.commands.new", "new_command", "A definition and a strip set to start from."),
    "check": Entry(
        "workbench.commands.check", "check_command", "All that is wrong or unusual in a definition."
    ),
    "evaluate": Entry("workbench.commands.evaluate", "evaluate_command", "Exact figures of a strip set."),
    "law": Entry("workbench.commands.law", "law_command", "How the win of a round is spread, exactly."),
    "session": Entry(
        "workbench.commands.session",
        "session_command",
        "Net result of many rounds, and how long a bankroll lasts.",
    ),
    "simulate": Entry("workbench.simulate.command", "simulate_command", "Play rounds of a strip set."),
    "replay": Entry("workbench.simulate.command", "replay_command", "Tell one simulated round step by step."),
    "verify": Entry("workbench.commands.verify", "verify_command", "Check a strip set against its figures."),
    "compare": Entry(
        "workbench.commands.compare", "compare_command", "Strip sets side by side: what differs, what moves."
    ),
    "sensitivity": Entry(
        "workbench.commands.sensitivity",
        "sensitivity_command",
        "What each single-stop swap and unit of weight does to every figure.",
    ),
    "report": Entry("workbench.commands.report", "report_command", "The PAR sheet of a strip set."),
    "export": Entry("workbench.commands.export", "export_command", "Production files of a strip set."),
    "import": Entry(
        "workbench.commands.import_", "import_command", "A strip set from CSV, XLSX or exported files."
    ),
    "optimise": Entry("workbench.optimise.command", "optimise_command", "Search strips that meet a target."),
    "work": Entry("workbench.optimise.work", "work_command", "Join a search from another machine."),
    "desk": Entry("workbench.commands.desk", "desk_command", "Open the desk in JupyterLab: tune by hand."),
}


class LazyGroup(click.Group):
    """Commands by name out of a table; listing them imports none."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands there are, in the order of the table."""
        return [name for name, entry in COMMANDS.items() if entry.exists]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None if there is none of that name."""
        entry = COMMANDS.get(cmd_name)
        if entry is None or not entry.exists:
            return None
        command = getattr(import_module(entry.module), entry.attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].help) for name in self.list_commands(ctx)])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; Ctrl-C ends it with one line and 130."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            complain("stopped by Ctrl-C", "interrupted")
            ctx.exit(INTERRUPTED)


@click.group(cls=LazyGroup, no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="workbench", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """A math-design workbench for slot games.

    STRIPS is a path, or GAME/NAME for strips/GAME/NAME.json.

    \b
    Example:
      workbench evaluate codex-of-fortune/strategy
    """
    context.meta[SOLVER] = solved_table


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; whatever goes wrong is one line on stderr."""
    try:
        code = cli.main(args=arguments, prog_name="workbench", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.ClickException as error:
        complain(_with_help(error))
        return error.exit_code
    except WorkbenchError as error:
        complain(str(error))
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        complain("stopped by Ctrl-C", "interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        silence(sys.stdout)
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("WORKBENCH_DEBUG"):
            raise
        complain(f"{type(error).__name__}: {error} (WORKBENCH_DEBUG=1 shows where)", "internal error")
        return 2


def _with_help(error: click.ClickException) -> str:
    """A usage error and the command whose --help explains it."""
    text = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{text}; see {context.command_path} --help" if context else text


def main() -> NoReturn:
    """The ``workbench`` command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run())
