"""What says how to install, run and cite dialoom agrees with what it is."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import yaml

import dialoom

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def dockerfile() -> dict[str, list[str]]:
    """Instruction to what it is given, of each such line."""
    steps: dict[str, list[str]] = {}
    for line in (ROOT / "Dockerfile").read_text().splitlines():
        if line and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            steps.setdefault(word, []).append(rest)
    return steps


def commands(page: str, program: str) -> list[list[str]]:
    """Return the words of each command of a page that runs a program."""
    text = (ROOT / page).read_text().replace("\\\n", " ")
    return [shlex.split(line) for line in re.findall(rf"^{program} .*$", text, re.MULTILINE)]


def test_the_citation_is_of_this_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert cited["cff-version"] == "1.2.0"
    assert cited["version"] == dialoom.__version__
    assert cited["license"] == PROJECT["project"]["license"]
    assert [one["name"] for one in cited["authors"]] == [
        one["name"] for one in PROJECT["project"]["authors"]
    ]
    assert {"message", "title"} <= set(cited)


def test_the_image_has_what_it_copies_and_installs() -> None:
    image = dockerfile()
    copied = [source for line in image["COPY"] for source in line.split()[:-1]]
    assert len(copied) > 4
    for source in copied:
        assert (ROOT / source).exists(), source
    (install,) = image["RUN"]
    assert install.split()[-1] == "'/dialoom[collect]'"
    assert "collect" in PROJECT["project"]["optional-dependencies"]
    (version,) = image["FROM"]
    assert version.startswith("python:" + PROJECT["project"]["requires-python"].removeprefix(">="))


def test_the_container_runs_the_readmes_command() -> None:
    image = dockerfile()
    (run,) = commands("docs/how-to/collecting.md", "docker run")
    assert image["ENTRYPOINT"] == ['["dialoom"]']
    assert run[run.index("-v") + 1] == f"$PWD:{image['WORKDIR'][0]}"
    assert run[run.index("-p") + 1] == ":".join(image["EXPOSE"] * 2)
    (readme,) = [words for words in commands("README.md", "dialoom collect") if "--port" in words]
    assert run[run.index("dialoom") :] == [*readme, "--host", "0.0.0.0"]
    assert readme[readme.index("--port") + 1] == image["EXPOSE"][0]


def test_an_sdist_names_what_there_is() -> None:
    build = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]
    assert len(build["only-include"]) > 8
    for path in build["only-include"]:
        assert (ROOT / path).exists(), path


def test_the_site_shows_every_page() -> None:
    pages = re.findall(r"^ +- ([a-z/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    docs = ROOT / "docs"
    assert set(pages) - {"changelog.md", "contributing.md"} == {
        page.relative_to(docs).as_posix() for page in docs.rglob("*.md")
    }
