"""What the commands print: plain lines, or one strict JSON object; nothing that a terminal would obey."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

__all__ = ["ReaderLeftError", "in_options", "one_line", "print_data", "print_json", "print_text", "printable"]

# Control characters, and those that change the direction of text: names in a file may hold commands to a terminal, or
# letters that show in another order than they are read.
_UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class ReaderLeftError(Exception):
    """Whoever read standard output has closed it: there is no one left to print for."""


def printable(text: str) -> str:
    """Return the text with unsafe characters, line ends apart, written out."""
    return _UNSAFE.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def in_options(text: str) -> str:
    """Return a message of the library with its remedies spelt as the command line spells them."""
    return text.replace("privacy=None", "--privacy none")


def one_line(text: str) -> str:
    """Return the text on a single line."""
    return printable(" ".join(text.split()))


def print_text(text: str) -> None:
    """Print lines for a person to standard output, with whatever characters its encoding has."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    _write(printable(text).encode(encoding, "replace").decode(encoding) + "\n")


def print_json(value: dict[str, Any]) -> None:
    """Print one strict JSON object to standard output."""
    _write(json.dumps(value, allow_nan=False) + "\n")


def print_data(text: str) -> None:
    """Print a table to standard output as it is, in UTF-8 whatever the terminal's encoding."""
    sys.stdout.flush()
    try:
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise ReaderLeftError from None


def _write(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise ReaderLeftError from None
