"""Questions that the command-line tool answers: it is installed beside the package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from typing import Any, Dict, List, Optional, Union

from ._archive import WINDOWS
from ._errors import ToolError

Path = Union[str, "os.PathLike[str]"]


def _tool() -> str:
    """Returns the path of the tool: the one that CARVE_TOOL names, the one that was installed with
    this package, or the one in PATH."""
    stated = os.environ.get("CARVE_TOOL")
    if stated:
        return stated
    places: List[str] = [sysconfig.get_path("scripts")]
    if hasattr(sysconfig, "get_preferred_scheme"):
        places.append(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")))
    found = shutil.which("carve", path=os.pathsep.join(places)) or shutil.which("carve")
    if found is None:
        raise ToolError(127, "the tool carve is neither installed with this package nor in PATH")
    return found


def _ask(arguments: List[str], allowed: int) -> Any:
    """Runs the tool and returns the JSON that it prints. `allowed` is the greatest exit code that
    is no failure."""
    run = subprocess.run([_tool(), *arguments], capture_output=True, check=False)
    if run.returncode < 0 or run.returncode > allowed:
        raise ToolError(run.returncode, run.stderr.decode("utf-8", "replace").strip())
    try:
        return json.loads(run.stdout.decode("utf-8", "surrogateescape"))
    except ValueError:
        message = run.stderr.decode("utf-8", "replace").strip() or "the tool printed no JSON"
        raise ToolError(run.returncode, message) from None


def explain(
    path: Path,
    name: str,
    *,
    kind: str = "image",
    device: Optional[str] = None,
    window: Optional[str] = None,
    orientation: Optional[str] = None,
    style: Optional[str] = None,
    contrast: Optional[str] = None,
    languages: Optional[List[str]] = None,
    traits: Optional[str] = None,
) -> Dict[str, Any]:
    """Explains why a variant of an asset wins and each other loses: the answer of
    ``carve explain --json``. ``path`` is an archive or a catalogue folder.
    """
    arguments = ["explain", "--json", "--kind", kind]
    options = {
        "--device": device,
        "--window": WINDOWS.get(window, window) if window is not None else None,
        "--orientation": orientation,
        "--style": style,
        "--contrast": contrast,
        "--language": ":".join(languages) if languages else None,
        "--traits": traits,
    }
    for option, value in options.items():
        if value is not None:
            arguments += [option, value]
    answer: Dict[str, Any] = _ask([*arguments, "--", os.fspath(path), name], allowed=0)
    return answer


def app(path: Path, *, baseline: Optional[Path] = None) -> Dict[str, Any]:
    """Reports what a finished app carries: the answer of ``carve app --json``. ``path`` is an
    .ipa or another ZIP file, an .app, an .xcarchive or any folder; ``baseline`` is an older build
    with which it is compared. Parts that cannot be read are listed under ``"troubles"``.
    """
    arguments = ["app", "--json"]
    if baseline is not None:
        arguments += ["--baseline", os.fspath(baseline)]
    answer: Dict[str, Any] = _ask([*arguments, "--", os.fspath(path)], allowed=1)
    return answer
