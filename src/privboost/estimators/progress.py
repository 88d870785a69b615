"""A progress bar for long fits: on a terminal only, counting trees, never anything about rows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["no_progress", "progress_bar"]


@contextmanager
def no_progress(total: int) -> Iterator[Callable[[], None]]:
    """Show nothing."""
    yield lambda: None


@contextmanager
def progress_bar(total: int) -> Iterator[Callable[[], None]]:
    """Show a bar of ``total`` steps on standard error, if that is a terminal; yield the function that advances it."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Training", total=total)
        yield lambda: progress.advance(task)
