"""JSON as the standard has it, from files that nobody vouches for.

Reading is bounded before it starts: the size of the text, and the number of values and of containers in it, which
together bound the memory that the parsed objects can take. Whatever is wrong ends in one `ModelFileError`.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from pathlib import Path
from typing import Any, NoReturn

from privboost.errors import ModelFileError
from privboost.paths import check_path

__all__ = ["MAX_BYTES", "parse", "read_bytes", "render", "same_json", "write_text"]

MAX_BYTES = 256 * 2**20
MAX_VALUES = 20_000_000
MAX_CONTAINERS = 2_000_000

# Half of a surrogate pair can be escaped in JSON, but no text encoding can print it.
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def parse(data: bytes | str) -> Any:
    """Return the value that a JSON text stands for.

    Parameters
    ----------
    data : bytes or str
        ASCII, as `render` writes it: other characters are escaped.

    Raises
    ------
    ModelFileError
        If the text is too large, is not strict JSON, nests too deeply, or gives a key twice.
    """
    text = _ascii(data)
    if text.count(",") > MAX_VALUES or text.count("[") + text.count("{") > MAX_CONTAINERS:
        raise ModelFileError("The model file holds more values than a model can have.")
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
    except ModelFileError:
        raise
    except RecursionError:
        raise ModelFileError("The model file nests too deeply to be a model.") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ModelFileError(f"The model file is not complete, valid JSON: it breaks off or errs at {place}.") from None
    except ValueError:  # an integer of thousands of digits
        raise ModelFileError("The model file holds a number that is out of range.") from None
    if _SURROGATE.search(text):
        _check_texts(value)
    return value


def _ascii(data: bytes | str) -> str:
    if len(data) > MAX_BYTES:
        raise ModelFileError(f"The model file is larger than {MAX_BYTES // 2**20} MiB, the largest that is read.")
    if isinstance(data, str):
        if data.isascii():
            return data
    else:
        try:
            return data.decode("ascii")
        except UnicodeDecodeError:
            pass
    raise ModelFileError("The model file is not JSON as privboost writes it: it holds bytes that are not ASCII.")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ModelFileError("The model file gives a field of an object twice.")
    return content


def _refuse_constant(name: str) -> NoReturn:
    raise ModelFileError(f"The model file holds {name}, which is no JSON number.")


def _check_texts(value: Any) -> None:
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            pending.extend(item.keys())
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
        elif isinstance(item, str) and re.search("[\ud800-\udfff]", item):
            raise ModelFileError("The model file holds text with half of a surrogate pair.")


def render(value: Any) -> str:
    """Return strict JSON, one line for each innermost object, floats by their shortest exact decimal.

    Raises
    ------
    ModelFileError
        If the value holds NaN, an infinity, or what JSON cannot hold.
    """
    try:
        return _render(value, "") + "\n"
    except (RecursionError, TypeError, ValueError):
        raise ModelFileError("The model holds a value that strict JSON cannot hold.") from None


def _render(value: Any, indent: str) -> str:
    inner = indent + " "
    if isinstance(value, dict) and any(isinstance(item, dict | list) for item in value.values()) and len(indent) < 3:
        lines = [f"{inner}{json.dumps(key)}: {_render(item, inner)}" for key, item in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        lines = [inner + _render(item, inner) for item in value]
        return "[\n" + ",\n".join(lines) + f"\n{indent}]"
    return json.dumps(value, allow_nan=False)


def same_json(left: Any, right: Any) -> bool:
    """Return whether two values are the same JSON, which tells 1, 1.0 and true apart as Python does not."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def read_bytes(path: str | Path) -> bytes:
    """Return a file's content, but no more than a little above the limit, which `parse` then refuses."""
    with open(check_path(path), "rb") as file:
        return file.read(MAX_BYTES + 1)


def write_text(path: str | Path, text: str) -> None:
    """Put an ASCII text where ``path`` points, all of it or, after an error, nothing.

    Raises
    ------
    ModelFileError
        If ``path`` is there already and is no ordinary file.
    OSError
        If the file system refuses.
    """
    target = Path(os.path.realpath(check_path(path)))
    if target.exists() and not target.is_file():
        raise ModelFileError(f"{str(target)!r} is not an ordinary file; a model cannot be written there.")
    part = target.with_name(f".{target.name[:64]}.{secrets.token_hex(8)}.part")
    try:
        with open(part, "xb") as file:
            file.write(text.encode("ascii"))
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, part)
        os.replace(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
