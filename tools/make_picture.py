#!/usr/bin/env python3
"""make_picture.py PAGE.html OUT.svg - the first panel of a plot page as a picture of its own."""
import re
import sys
from pathlib import Path

STYLE = """text{font:12.5px sans-serif;fill:#5d6670}.grid{stroke:#e8ebee;fill:none}
.zero{stroke:#aab2ba;fill:none}.curve{fill:none;stroke-width:1.8;stroke-linejoin:round}
.jump{fill:none;stroke-dasharray:1.5 3}.k0{stroke:#0b69b0}.k1{stroke:#cf4f08}.k2{stroke:#00805c}
.k3{stroke:#a4458a}.n0{fill:#0b69b0}.n1{fill:#cf4f08}.n2{fill:#00805c}.n3{fill:#a4458a}"""


def picture(page):
    svg = re.search(r'<svg class="plot" viewBox="0 0 (\d+) (\d+)".*?>(.*?)</svg>', page, re.S)
    width, height, scene = int(svg.group(1)), int(svg.group(2)), svg.group(3)
    scene = re.sub(r'<rect class="select".*', "", scene, flags=re.S)  # the pointer's
    legend = page[:svg.start()].rsplit('<div class="legend">', 1)[1]
    names = re.findall(r'<span class="name">(.*?)</span>', legend)
    units = re.findall(r'<span class="unit">(.*?)</span>', legend)
    keys = "".join(f'<text class="n{k}" x="{70 + 80 * k}" y="-6">{name} {unit}</text>'
                   for k, (name, unit) in enumerate(zip(names, units + [""] * len(names))))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -24 {width} {height + 48}">'
            f"<style>{STYLE}</style>"
            f'<rect y="-24" width="{width}" height="{height + 48}" fill="#fff"/>{keys}{scene}</svg>\n')


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(picture(Path(sys.argv[1]).read_text()))
