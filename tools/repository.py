"""repository.py - functions that the check scripts share: listing files, reporting errors."""
import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def arguments(description, **extra):
    """Parse the common command line; --root lets the self-tests check a small made-up tree."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--root", type=Path, default=ROOT, help="the repository (for self-tests)")
    for name, options in extra.items():
        parser.add_argument("--" + name, **options)
    return parser.parse_args()


def tracked_files(root):
    """Files that git knows or would add; where there is no git, all but what was built."""
    try:
        listed = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"],
            capture_output=True, check=True).stdout.decode().split("\0")
        files = [root / name for name in listed if name]
    except (subprocess.CalledProcessError, FileNotFoundError):
        files = [p for p in root.rglob("*")
                 if not re.match(r"(build|\.git)", p.relative_to(root).parts[0])]
    return sorted(p for p in files if p.is_file())


def c_files(root, *folders):
    """The .c and .h files below the folders that exist."""
    return [p for folder in folders for p in sorted((root / folder).rglob("*.[ch]"))]


def without_comments(text):
    """C text with its comments blanked out, lines kept."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)


def finish(errors, summary):
    """Print the errors and exit, with status 1 if there are any."""
    for line in errors:
        print(line)
    if errors:
        sys.exit(1)
    print("summary: " + summary)
