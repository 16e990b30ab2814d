"""A signature makes every change by others visible; keys stay with their owner."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

from deidgui.app.commands import headless
from deidgui.app.commands.summary import of_verification
from deidgui.app.release.signing import (
    make_key,
    public_file,
    read_secret,
    sign_release,
    site_key,
)
from deidgui.app.release.verifying import verify
from deidgui.app.release.writing import write_release
from deidgui.app.text import message_for
from deidgui.errors import ConfigError, DeidError, InputError, VerificationError
from tests.app.edits import reseal
from tests.release_case import make_order, make_table


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("signed")
    return write_release(
        folder / "out", make_order(folder, table=make_table(60))
    ).folder


@pytest.fixture
def release(written, tmp_path):
    return Path(shutil.copytree(written, tmp_path / "out"))


@pytest.fixture
def key(tmp_path):
    folder = tmp_path / "keys"
    folder.mkdir()
    make_key(folder / "site.key")
    return folder / "site.key"


def forge(release):
    """Change the notes, as somebody who knows the program and has no key."""
    fields = json.loads((release / "evidence.json").read_bytes())
    fields["thresholds"]["justification"] = "Nobody asked for this."
    reseal(release, fields)


def failed(release, key=None):
    public = public_file(key) if key else None
    result = headless.verify(release, public)
    assert result["ok"] == all(each["ok"] for each in result["checks"])
    assert "‹" not in of_verification(result)
    return {each["code"] for each in result["checks"] if not each["ok"]}


def test_a_forger_who_changes_everything_alike_is_seen_by_the_signature_alone(
    release, key
):
    sign_release(release, key)
    assert failed(release) == failed(release, key) == set()
    forge(release)
    assert failed(release) == {"signature"}
    (release / "signature.json").unlink()
    assert failed(release) == set()
    assert failed(release, key) == {"signature_key"}


def test_a_signature_of_another_key_is_not_the_senders(release, key, tmp_path):
    forge(release)
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "forger.key"
    make_key(other)
    sign_release(release, other)
    assert failed(release) == set()
    assert failed(release, key) == {"signature_key"}
    assert failed(release, other) == set()


def is_refused(release):
    """Whether a signature is no signature, or not that of the release."""
    try:
        return "signature" in failed(release)
    except VerificationError as error:
        return error.code == "not_a_signature"


def test_every_field_of_a_signature_counts(release, key):
    sign_release(release, key)
    path = release / "signature.json"
    stated = json.loads(path.read_bytes())
    for name, value in stated.items():
        other = (
            value[:-1] + ("0" if str(value)[-1] != "0" else "1")
            if (isinstance(value, str))
            else value + 1
        )
        text = json.dumps({**stated, name: other}, indent=2)
        path.write_text(f"{text}\n", "utf-8")
        assert is_refused(release)
    path.write_bytes(b"{" * 9_000)
    with pytest.raises(InputError):
        verify(release)


def test_what_does_not_verify_is_not_signed(release, key):
    with (release / "policy.json").open("ab") as file:
        file.write(b" ")
    with pytest.raises(VerificationError) as refused:
        sign_release(release, key)
    assert refused.value.code == "release_not_signed"
    assert not (release / "signature.json").exists()
    assert "‹" not in str(message_for(refused.value))


def test_a_signed_release_is_replaced_like_any_other(tmp_path, release, key):
    sign_release(release, key)
    write_release(release, make_order(tmp_path, table=make_table(60)))
    assert not (release / "signature.json").exists()
    assert verify(release).ok


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_keys_are_for_their_owner_and_apart(tmp_path, release, key, monkeypatch):
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    key.chmod(0o640)
    with pytest.raises(ConfigError, match="key_readable"):
        read_secret(key)
    key.chmod(0o600)
    assert repr(read_secret(key)).count(read_secret(key).secret) == 0
    for place, code in (
        (release / "site.key", "key_inside_release"),
        (release / "mapping" / "site.key", "key_inside_release"),
        (key, "key_file_exists"),
    ):
        with pytest.raises(ConfigError, match=code):
            make_key(place)
    (tmp_path / "p.deid.json").write_text("{}")
    with pytest.raises(ConfigError, match="key_beside_project"):
        make_key(tmp_path / "site.key")
    monkeypatch.setenv("DEIDGUI_HOME", str(tmp_path / "home"))
    headless.new_key()
    assert stat.S_IMODE(site_key().stat().st_mode) == 0o600
    assert stat.S_IMODE(site_key().parent.stat().st_mode) == 0o700
    made = headless.sign(release)
    assert made["fingerprint"] == headless.verify(release)["signature"]["fingerprint"]
    with pytest.raises(DeidError):
        headless.verify(release, key)  # the secret key is not the public one
    secret = read_secret(site_key()).secret.encode()
    for path in release.rglob("*"):
        assert path.is_dir() or secret not in path.read_bytes()
