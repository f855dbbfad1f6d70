"""Every Python block of the documentation runs and prints what stands below it."""
import contextlib
import doctest
import importlib.util
import io
import re
from pathlib import Path

import pytest

import daedal
import daedal._model

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs/python").glob("*.md")) + [ROOT / "README.md"]
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.M | re.S)


@pytest.mark.parametrize("page", PAGES, ids=[page.parent.name + "/" + page.name for page in PAGES])
def test_pages(page):
    blocks = BLOCK.findall(page.read_text())
    assert blocks or page.name == "README.md"
    space = {}
    for code, expected in blocks:
        if "pandas" in code and importlib.util.find_spec("pandas") is None:
            continue  # the other blocks of the page are run all the same
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(page), "exec"), space)
        assert [line.rstrip() for line in printed.getvalue().splitlines()] == expected.splitlines()


@pytest.mark.parametrize("module", [daedal, daedal._model])
def test_docstrings(module):
    space = {"Model": daedal.Model, "solve_dae": daedal.solve_dae}
    assert doctest.testmod(module, extraglobs=space).failed == 0


def test_everything_public_is_described():
    for name in daedal.__all__:
        thing = getattr(daedal, name)
        assert thing.__doc__, name
        for key, member in vars(thing).items() if isinstance(thing, type) else ():
            if callable(member) and not key.startswith("_"):
                assert member.__doc__, f"{name}.{key}"


def test_types_are_marked():
    assert (Path(daedal.__file__).parent / "py.typed").exists()
