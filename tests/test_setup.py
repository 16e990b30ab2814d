"""Whether the README's two commands set up and check this very checkout."""

import importlib
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LOCKS = sorted((ROOT / "packaging" / "locks").glob("*.txt"))


def _script(name):
    """Import one of the scripts in ``packaging``, which is no Python package."""
    sys.path.insert(0, str(ROOT / "packaging"))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(ROOT / "packaging"))


@pytest.fixture
def start():
    return _script("start")


def test_the_readme_prints_both_commands_and_ci_runs_the_second():
    readme = (ROOT / "README.md").read_text("utf-8")
    printed = re.findall(r"^ *(python3 packaging/start\.py \w+)$", readme, re.MULTILINE)
    assert printed == [
        "python3 packaging/start.py demo",
        "python3 packaging/start.py test",
    ]
    lines = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert lines[-1] == printed[1]


@pytest.mark.parametrize("lock", LOCKS, ids=[lock.name for lock in LOCKS])
def test_every_locked_version_has_a_hash_and_no_host(lock):
    text = lock.read_text("utf-8")
    requirements = re.split(r"\n(?! )", text.strip())
    assert requirements
    for requirement in requirements:
        assert re.match(r"[a-z0-9-]+==\S+", requirement), requirement
        assert "--hash=sha256:" in requirement, requirement
    assert "//" not in text


def test_tests_run_with_the_versions_that_users_get():
    def pinned(name):
        text = (ROOT / "packaging" / "locks" / name).read_text("utf-8")
        return set(re.findall(r"^\S+==[^\\]+", text, re.MULTILINE))

    assert pinned("run.txt") <= pinned("dev.txt")


# --- pip's settings for uv --------------------------------------------------------


def test_uv_gets_the_index_that_pip_is_set_up_for(start, monkeypatch, tmp_path):
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    settings = {
        "index-url": "https://index.example.org/simple",
        "extra-index-url": f"https://more.example.org/simple {wheels.as_uri()} "
        f"{(tmp_path / 'absent').as_uri()}",
        "find-links": f"{wheels} {tmp_path / 'absent'}",
        "cert": "/etc/ssl/example.pem",
    }
    monkeypatch.setattr(start, "_pip_settings", lambda: settings)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    environment = start._uv_environment()
    assert environment["UV_DEFAULT_INDEX"] == "https://index.example.org/simple"
    assert environment["UV_INDEX"].split() == [
        "https://more.example.org/simple",
        wheels.as_uri(),
    ]
    assert environment["UV_FIND_LINKS"] == str(wheels)
    assert environment["SSL_CERT_FILE"] == "/etc/ssl/example.pem"
    assert "UV_NO_INDEX" not in environment


def test_what_is_set_for_uv_itself_wins(start, monkeypatch):
    monkeypatch.setattr(start, "_pip_settings", lambda: {"index-url": "https://a/"})
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://b/")
    assert start._uv_environment()["UV_DEFAULT_INDEX"] == "https://b/"


def test_pip_settings_prefer_the_nearest(start, monkeypatch):
    class Told:
        stdout = (
            "global.index-url='https://global/'\n"
            "install.index-url='https://install/'\n"
            "global.find-links='/one'\n"
            ":env:.find-links='/two'\n"
            "freeze.timeout='10'\n"
        )

    monkeypatch.setattr(start.subprocess, "run", lambda *_args, **_kwargs: Told)
    assert start._pip_settings() == {
        "index-url": "https://install/",
        "find-links": "/two",
    }


# --- when an environment is good enough -------------------------------------------


def test_an_environment_is_remade_when_its_lock_changes(start, monkeypatch, tmp_path):
    lock = tmp_path / "run.txt"
    lock.write_text("numpy==1\n")
    python = tmp_path / "python"
    python.touch()
    monkeypatch.setattr(start, "STAMP", tmp_path / "stamp")
    monkeypatch.setattr(start, "_lock", lambda _name: str(lock))
    monkeypatch.setattr(start, "_python", lambda: str(python))
    assert not start._is_current("run")
    start.STAMP.write_text(start._fingerprint("run"))
    assert start._is_current("run")
    lock.write_text("numpy==2\n")
    assert not start._is_current("run")


def test_an_unknown_command_explains_the_known_ones(start, capsys):
    assert start.main(["tset"]) == 2
    assert "start.py test" in capsys.readouterr().out


def test_a_missing_libraries_message_names_the_packages(monkeypatch, tmp_path):
    libraries = _script("qt_libraries")
    monkeypatch.setattr(libraries, "_complaint", lambda *_: "libEGL.so.1: not found")
    monkeypatch.setattr(libraries.shutil, "which", lambda _name: None)
    with pytest.raises(libraries.MissingLibrariesError, match=r"libEGL(.|\n)*libegl1"):
        libraries.provide("python", tmp_path)


def test_only_new_packages_are_unpacked_beside_the_systems():
    simulation = (
        "NOTE: This is only a simulation!\n"
        "Inst libegl1 (1.6.0-1 Debian:12 [amd64])\n"
        "Inst libc6 [2.36-9] (2.36-10 Debian:12 [amd64])\n"
        "Conf libegl1 (1.6.0-1 Debian:12 [amd64])\n"
    )
    assert _script("qt_libraries")._planned(simulation) == ["libegl1"]


# --- sizes ------------------------------------------------------------------------


def test_long_functions_and_stale_reasons_are_reported(monkeypatch, tmp_path):
    check = _script("check")
    package = tmp_path / "deidgui"
    package.mkdir()
    body = "\n".join("    x = 1" for _ in range(70))
    docstring = '    """' + "\n".join(["Long."] * 70) + '\n    """'
    (package / "long.py").write_text(
        f"def bad():\n{body}\n\n\ndef documented():\n{docstring}\n" + "x = 1\n" * 600
    )
    monkeypatch.setattr(check, "SIZE_REASONS", {"deidgui/gone.py::f": "was long"})
    complaints = check.oversize(tmp_path)
    assert len(complaints) == 2
    assert complaints[0].startswith("deidgui/long.py::bad: 71 lines, limit 60")
    assert complaints[1].startswith("deidgui/gone.py::f: no longer too long")


def test_a_long_method_is_seen_before_a_short_one_of_the_same_name(tmp_path):
    check = _script("check")
    package = tmp_path / "deidgui"
    package.mkdir()
    body = "\n".join("        x = 1" for _ in range(70))
    (package / "page.py").write_text(
        f"class Page:\n    def make(self):\n{body}\n\n\n"
        "class Card:\n    def make(self):\n        x = 1\n"
    )
    complaints = check.oversize(tmp_path)
    assert [each for each in complaints if "page.py" in each] == [
        "deidgui/page.py::Page.make: 71 lines, limit 60: cut it, or give a reason in "
        "packaging/check.py"
    ]


# --- structure --------------------------------------------------------------------


def test_the_longest_chain_counts_a_circle_once():
    structure = _script("structure")
    imports = {
        "top": {"package"},
        "package": {"package.one"},
        "package.one": {"package", "low"},
        "low": set(),
    }
    assert structure.longest_chain(imports) == ["top", "package + package.one", "low"]


def test_a_chain_that_is_too_long_is_printed(monkeypatch):
    structure = _script("structure")
    assert structure.problems() == []
    monkeypatch.setattr(structure, "CHAIN_LIMIT", 3)
    title, *chain = structure.problems()
    assert title.startswith(f"{len(chain)} modules import one another in a row")
    assert chain[0].strip().startswith("deidgui.")


def test_a_satellite_is_imported_by_one_module_beside_it():
    structure = _script("structure")
    imports = {
        "a": {"a.model"},
        "a.model": set(),
        "a.one": {"a.helper", "a.shared"},
        "a.two": {"a.shared"},
        "a.helper": set(),
        "a.shared": set(),
    }
    assert structure.satellites(imports) == ["a.helper <- one"]


def test_a_satellite_needs_a_reason_and_a_reason_a_satellite(monkeypatch):
    structure = _script("structure")
    name = "engine.detect.free_text"
    monkeypatch.delitem(structure.OTHER_REASONS, name)
    monkeypatch.setitem(structure.OTHER_REASONS, "engine.gone", "is no more")
    lone, stale = structure.problems()
    assert lone.startswith(f"{name}: one sibling alone imports it")
    assert stale.startswith("engine.gone: needs no reason any more")


# --- compiling ---------------------------------------------------------------------


def test_the_program_is_compiled_once_and_again_after_a_change(
    start, tmp_path, monkeypatch
):
    kernels = tmp_path / "deidgui" / "engine" / "kernels.py"
    kernels.parent.mkdir(parents=True)
    kernels.write_text("one", "utf-8")
    monkeypatch.setattr(start, "ROOT", tmp_path)
    monkeypatch.setattr(start, "VENV", tmp_path)
    ran, codes = [], iter([1, 0, 0])
    monkeypatch.setattr(start, "_run", lambda call: ran.append(call) or next(codes))
    start.compile_once()
    start.compile_once()
    start.compile_once()
    assert len(ran) == 2, "one that failed is tried again, one that is done is not"
    kernels.write_text("another", "utf-8")
    start.compile_once()
    assert len(ran) == 3
    assert ran[0][1:] == ["-m", "deidgui", "--compile"]
