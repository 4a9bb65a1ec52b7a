#!/usr/bin/env python3
"""Makes the tables, histograms and game records of docs/frontier.md from a folder of tables.

    docs/frontier.py DIR [CLASS...]

Draws docs/frontier/CLASS.svg (placements by distance), writes docs/frontier/CLASS.txt (the longest
win of the class, as a game record), and prints the rows of the page's tables. Needs
target/release/boombots-tablebase.
"""

import json
import math
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BINARY = ROOT / "target/release/boombots-tablebase"
OUT = ROOT / "docs/frontier"

WIDTH, HEIGHT = 640, 220
LEFT, TOP, RIGHT, BOTTOM = 56, 24, 12, 32


def run(folder: str, *arguments: str) -> str:
    command = [str(BINARY), "--dir", folder, *arguments]
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def json_lines(folder: str, *arguments: str) -> list[dict]:
    return [json.loads(line) for line in run(folder, *arguments, "--json").splitlines()]


def histogram(sides: list[dict], title: str) -> str:
    """Bars of wins above and losses beside them, on a logarithmic scale, one panel a side."""
    panels = len(sides)
    height = TOP + panels * HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="11" role="img">',
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{LEFT}" y="16" font-size="13" font-weight="bold">{title}</text>',
    ]
    most = max(max(side["wins"] + side["losses"], default=1) for side in sides)
    plies = max(max(len(side["wins"]), len(side["losses"])) for side in sides)
    decades = max(1, math.ceil(math.log10(max(most, 10))))
    step = (WIDTH - LEFT - RIGHT) / max(plies, 1)
    for panel, side in enumerate(sides):
        top = TOP + panel * HEIGHT + 18
        bottom = TOP + (panel + 1) * HEIGHT - BOTTOM
        scale = (bottom - top) / decades
        name = f'{side["mover"]} against {side["opponent"]}, the {side["mover"]} to move'
        parts.append(f'<text x="{LEFT}" y="{top - 4}">{name}</text>')
        for decade in range(0, decades + 1):
            y = bottom - decade * scale
            parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
            if decade % 2 == 0:
                parts.append(
                    f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">10'
                    f'<tspan dy="-4" font-size="8">{decade}</tspan></text>'
                )
        for key, colour in (("wins", "#2b6cb0"), ("losses", "#c05621")):
            for ply, count in enumerate(side[key]):
                if count:
                    tall = max(1.0, math.log10(count) * scale)
                    x = LEFT + ply * step
                    parts.append(
                        f'<rect x="{x:.1f}" y="{bottom - tall:.1f}" width="{step * 0.8:.1f}" '
                        f'height="{tall:.1f}" fill="{colour}"><title>{key} in {ply}: {count:,}</title></rect>'
                    )
        for ply in range(0, plies, 10 if plies > 30 else 5):
            x = LEFT + (ply + 0.4) * step
            parts.append(f'<text x="{x:.1f}" y="{bottom + 14}" text-anchor="middle">{ply}</text>')
    parts.append(
        f'<text x="{LEFT}" y="{height - 4}"><tspan fill="#2b6cb0">wins</tspan> and '
        f'<tspan fill="#c05621">losses</tspan> by plies to the end, placements</text>'
    )
    parts.append("</svg>\n")
    return "\n".join(parts)


def main() -> None:
    folder, wanted = sys.argv[1], sys.argv[2:]
    OUT.mkdir(exist_ok=True)
    manifest = json.loads((Path(folder) / "manifest.json").read_text())
    stats = json_lines(folder, "stats", *wanted)
    print("| side | placements | won | lost | drawn | longest win | longest loss |")
    print("|---|---|---|---|---|---|---|")
    for line in stats:
        cells = [f"{line[key]:,}" for key in ("positions", "wins", "losses", "draws")]
        longest = [str(line[key] or "–") for key in ("maxWinPlies", "maxLossPlies")]
        print("| " + " | ".join([f'{line["mover"]}v{line["opponent"]}', *cells, *longest]) + " |")
    print()
    print("| file | bytes | BLAKE3 |")
    print("|---|---|---|")
    classes = list(dict.fromkeys(line["class"] for line in stats))
    for entry in manifest["files"]:
        if entry["name"].split(".")[0] in classes:
            print(f'| `{entry["name"]}` | {entry["bytes"]:,} | `{entry["blake3"]}` |')
    for name in classes:
        sides = json_lines(folder, "distances", name)
        sides.sort(key=lambda side: -side["mover"])
        (OUT / f"{name}.svg").write_text(histogram(sides, f"{name}: how far from the end"))
        longest = max(
            ((len(side[counts]), side[place]) for side in sides
             for counts, place in (("wins", "longestWin"), ("losses", "longestLoss")) if side[place]),
            default=None,
        )
        if longest:
            (OUT / f"{name}.txt").write_text(run(folder, "line", "--record", longest[1]))
            print(f"\n{name}: {longest[0] - 1} plies from {longest[1]}")


if __name__ == "__main__":
    main()
