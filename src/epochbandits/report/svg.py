"""Pictures inside the page: SVG without what a screen does not show, as a data URL."""

from __future__ import annotations

import re
from urllib.parse import quote

_LONG = 60  # a path with more numbers is a curve, not a mark or a letter
_NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
# In a data URL and in an attribute's quotes these need no escape.
_SAFE = " =/:;,()!*-._~+@$[]?{}|^`"


def minified(svg: str) -> str:
    """Return Matplotlib's SVG with curves rounded to a tenth of a point, marks to a hundredth."""
    start = svg.index("<svg")
    text = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>", "", svg[start:], flags=re.DOTALL)
    text = re.sub(r'(?<= )d="([^"]*)"', lambda path: f'd="{_path(path[1])}"', text)
    text = re.sub(r'(?<= )(x|y|transform)="([^"]*)"', _attribute, text)
    used = set(re.findall(r"#([\w.-]+)", text))
    text = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in used else "", text)
    text = re.sub(r"\s+", " ", re.sub(r">\s+<", "><", text))
    return re.sub(r"(?<=[:;]) ", "", text).replace('"', "'")


def _path(path: str) -> str:
    """Return a path with rounded coordinates; a curve's are relative to the point before."""
    digits = 1 if len(_NUMBER.findall(path)) > _LONG else 2
    if digits == 1 and re.fullmatch(r"[ML\d\s.e-]*z?\s*", path):
        return _relative(path)
    text = _NUMBER.sub(lambda number: _text(round(float(number[0]) * 10**digits), digits), path)
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", text)


def _relative(path: str) -> str:
    parts, x, y = [], 0, 0
    for command, *point in re.findall(r"([MLz])\s*(\S*)\s*([^\sMLz]*)", path):
        if command == "z":
            parts.append("z")
            continue
        new = [round(float(number) * 10) for number in point]
        if command == "M":
            parts.append(f"M{_text(new[0], 1)} {_text(new[1], 1)}l")
        elif (new[0], new[1]) != (x, y):
            parts.append(f"{_text(new[0] - x, 1)} {_text(new[1] - y, 1)} ")
        x, y = new
    return re.sub(r" (?=[-Mz]|$)", "", "".join(parts))


def _attribute(match: re.Match[str]) -> str:
    text = _NUMBER.sub(_shortened, match[2])
    return f'{match[1]}="{text}"'


def _shortened(number: re.Match[str]) -> str:
    return number[0] if len(number[0]) < 7 else f"{float(number[0]):.5g}"


def _text(value: int, digits: int) -> str:
    """Return an integer divided by a power of ten, as short as possible."""
    text = f"{value / 10**digits:.{digits}f}".rstrip("0").rstrip(".")
    return re.sub(r"^(-?)0(?=\.)", r"\1", text)


def data_url(svg: str) -> str:
    """Return a picture as a data URL."""
    return f"data:image/svg+xml,{quote(svg, safe=_SAFE)}"


def extent(svg: str) -> tuple[int, int]:
    """Return width and height of a picture in points, which reserve its space before it loads."""
    box = re.search(r'viewBox=["\']0 0 ([\d.]+) ([\d.]+)["\']', svg[:4000])
    return (round(float(box[1])), round(float(box[2]))) if box else (480, 300)
