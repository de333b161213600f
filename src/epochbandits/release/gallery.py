"""The gallery: ``python -m epochbandits.release.gallery``, in the project's folder.

Writes ``docs/gallery.md``: each figure of the published run with its caption and the function that
draws it, whose source the site shows.
"""

from __future__ import annotations

import json
from pathlib import Path

from epochbandits.figures.registry import FIGURES
from epochbandits.pipeline.layout import PUBLISHED, FigureFolder

_PAGE = Path("docs/gallery.md")
_HEAD = f"""# Gallery

Every figure of the published run, with the code that draws it from its plotted table. The tables
are in `{PUBLISHED}/data`.
"""


def gallery(folder: Path) -> str:
    """Return the page for a folder with published figures."""
    parts = [_HEAD]
    for name, spec in FIGURES.items():
        sidecar = Path(FigureFolder(folder).sidecar(name))
        if not sidecar.is_file():
            continue
        caption = " ".join(json.loads(sidecar.read_text(encoding="utf-8"))["caption"].split())
        parts.append(
            f"## {spec.paper}: {name}\n\n"
            f"![{name}](../{FigureFolder(PUBLISHED).picture(name, 'png')})\n\n{caption}\n\n"
            f"::: epochbandits.figures.{spec.module}.{name}\n"
        )
    return "\n".join(parts)


if __name__ == "__main__":
    _PAGE.write_text(gallery(Path(PUBLISHED)), encoding="utf-8")
