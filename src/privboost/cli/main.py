"""The entry point: commands, and how every failure ends.

Exit status: 0 done; 1 a model does not carry the guarantee it should; 2 bad usage or input; 130 interrupted. Errors are
one line on standard error. The message of an error that privboost did not raise is withheld, since it may quote a cell.
"""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Sequence
from importlib import metadata
from typing import Annotated, Any

import typer
from typer.main import get_command

from privboost.cli import audit, budget, domain, evaluate, plan, predict, reproduce, show, train, verify
from privboost.cli.console import ReaderLeftError, in_options, one_line
from privboost.errors import PrivacyWarning, PrivboostError, VerificationError

__all__ = ["app", "main"]

EXIT_NOT_VERIFIED = 1
EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="privboost",
    help="Train, use and check differentially private ensembles of decision trees.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(domain.app, name="domain")
app.add_typer(budget.app, name="budget")
app.command("plan")(plan.command)
app.command("train")(train.command)
app.command("predict")(predict.command)
app.command("evaluate")(evaluate.command)
app.command("verify")(verify.command)
app.command("show")(show.command)
app.command("audit")(audit.command)
app.command("reproduce")(reproduce.command)


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"privboost {metadata.version('privboost')}\n")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="After an error, print where it arose.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Train, use and check differentially private ensembles of decision trees."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows the program's name; ``sys.argv`` by default.

    Returns
    -------
    int
        0, 1, 2 or 130, as above.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    # It may stand anywhere: one adds it to the end of the line that failed.
    debug = "--debug" in given
    try:
        with warnings.catch_warnings():
            _show_warnings(debug)
            status = get_command(app)(
                [argument for argument in given if argument != "--debug"],
                prog_name="privboost",
                standalone_mode=False,
            )
        if status == EXIT_INTERRUPTED:
            _say("interrupted")
        return status if isinstance(status, int) else 0
    except ReaderLeftError:
        # "privboost show | head" is no failure. Python would complain once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (KeyboardInterrupt, typer.Abort):
        _say("interrupted")
        return EXIT_INTERRUPTED
    except Exception as error:
        if debug:
            traceback.print_exc()
        _say(f"error: {_message(error)}")
        return EXIT_NOT_VERIFIED if isinstance(error, VerificationError) else EXIT_BAD_INPUT


def _show_warnings(debug: bool) -> None:
    """Print privboost's own warnings in one line each; those of libraries may quote cells, and are left out."""
    if not debug:
        warnings.simplefilter("ignore")
    warnings.simplefilter("always", PrivacyWarning)

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        _say(f"warning: {message}")

    warnings.showwarning = show


def _message(error: Exception) -> str:
    if isinstance(error, PrivboostError):
        return in_options(str(error))
    if hasattr(error, "format_message"):  # a usage error of the option parser
        return f"{error.format_message().rstrip('.')}. See 'privboost --help'."
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename!r}" if error.filename is not None else error.strerror
    if isinstance(error, MemoryError):
        return "there is not enough memory."
    return f"unexpected {type(error).__name__}. Run the command again with --debug to see where it arose."


def _say(text: str) -> None:
    sys.stderr.write(f"privboost: {one_line(text)}\n")
    sys.stderr.flush()
