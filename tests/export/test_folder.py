"""Export folders: whole or not at all, replaced only where an export was, proved file by file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from workbench.cli import run
from workbench.errors import FileError, WorkbenchError
from workbench.export import folder as folders
from workbench.export.check import verify_export
from workbench.export.folder import write_folder
from workbench.export.formats import FORMATS
from workbench.export.manifest import exported
from workbench.export.signature import verifying_key
from workbench.library import load
from workbench.reels.files import canonical_json, sha256_of
from workbench.verify import stored_figures

SET = load("codex-of-fortune/strategy")
FIGURES = stored_figures(SET.beside("figures.json"))
PEM = serialization.Encoding.PEM


@pytest.fixture(scope="module")
def files():
    return exported(SET.strips, SET.game, FIGURES, tuple(FORMATS))


@pytest.fixture
def out(tmp_path, files):
    write_folder(tmp_path / "out", files)
    return tmp_path / "out"


def answers(out, key=None):
    figures = json.loads((out / "manifest.json").read_bytes())["figures"]
    checks = verify_export(out, key=key, evaluate=lambda strategy: figures)
    return {check.name: check for check in checks}


def wrong(out, key=None):
    return {name: check for name, check in answers(out, key).items() if not check.ok}


def test_a_fresh_export_is_proved(out, files):
    assert sorted(p.name for p in out.iterdir()) == sorted(files)
    assert list(answers(out)) == [
        "files",
        "strip set",
        "contents",
        "sha256",
        "definition",
        "strip rules",
        "figures",
    ]
    assert not wrong(out)
    manifest = json.loads((out / "manifest.json").read_bytes())
    assert manifest["strip_set_sha256"] == SET.sha256
    assert manifest["definition_sha256"] == SET.game.sha256
    assert set(manifest["files"]) == set(files) - {"manifest.json"}
    assert manifest["figures"] == FIGURES


@pytest.mark.parametrize(
    "name", ["strip_set.json", "strip_set.h", "strip_set.ts", "reels.base.csv", "strip_set.xlsx"]
)
def test_an_edited_file_is_named(out, name):
    data = (out / name).read_bytes()
    (out / name).write_bytes(data.replace(b"K", b"Q", 1))
    assert [line.split(":")[0] for line in wrong(out)["files"].wrong] == [name]


@pytest.mark.parametrize(
    "name", ["strip_set.h", "strip_set.ts", "strip_set.toml", "reels.base.csv", "wheels.csv"]
)
def test_an_edited_file_with_an_edited_sum_is_named(out, name):
    data = (out / name).read_bytes().replace(b"K", b"Q", 1)
    (out / name).write_bytes(data)
    manifest = json.loads((out / "manifest.json").read_bytes())
    manifest["files"][name] = {"sha256": sha256_of(data), "bytes": len(data)}
    (out / "manifest.json").write_bytes(canonical_json(manifest))
    found = wrong(out)
    assert "files" not in found
    assert [line.split(":")[0] for line in found["contents"].wrong] == [name]


def test_missing_and_unlisted_files_are_named(out):
    (out / "strip_set.h").unlink()
    (out / "extra.csv").write_text("A\n")
    assert wrong(out)["files"].wrong == (
        "extra.csv: there, but not listed",
        "strip_set.h: listed, but missing",
    )


def test_a_spoilt_strip_set_is_a_no(out):
    (out / "strip_set.json").write_bytes(b"{")
    assert {"files", "strip set"} <= set(wrong(out))
    (out / "strip_set.json").unlink()
    assert {"files", "strip set"} <= set(wrong(out))


def test_a_manifest_with_other_figures_is_a_no(out):
    figures = json.loads((out / "manifest.json").read_bytes())["figures"]
    changed = {**figures, "rtp": figures["rtp"] + 1e-9}
    checks = verify_export(out, evaluate=lambda strategy: changed)
    assert not checks[-1].ok and checks[-1].wrong[0].startswith("rtp: stored")


def spoil(change):
    def spoilt(out):
        manifest = json.loads((out / "manifest.json").read_bytes())
        change(manifest)
        (out / "manifest.json").write_bytes(canonical_json(manifest))

    return spoilt


LISTED = {"sha256": "0" * 64, "bytes": 1}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda out: (out / "manifest.json").write_bytes((out / "manifest.json").read_bytes()[:-40]),
            "cut short",
        ),
        (lambda out: (out / "manifest.json").unlink(), "must hold manifest.json"),
        (lambda out: (out / "manifest.json").write_bytes(b"[]"), "format"),
        (spoil(lambda m: m.update(format="x")), "format"),
        (spoil(lambda m: m.update(files=[])), "files"),
        (spoil(lambda m: m["files"].update({"../x": LISTED})), "files"),
        (spoil(lambda m: m["files"].update({"/etc/passwd": LISTED})), "files"),
        (spoil(lambda m: m["files"].update({"manifest.json": LISTED})), "files"),
        (spoil(lambda m: m["files"].update({"x": {"sha256": "0"}})), "files.x"),
        (spoil(lambda m: m["files"].pop("strip_set.json")), "strip_set.json"),
        (spoil(lambda m: m.update(formats={"exe": "1"})), "formats"),
        (spoil(lambda m: m.update(csv_cells="x")), "csv_cells"),
        (spoil(lambda m: m.update(figures=3)), "figures"),
        (lambda out: (out / "x").mkdir(), "must be a file"),
        (lambda out: (out / "x").symlink_to("/etc/passwd"), "must be a file"),
        (lambda out: os.mkfifo(out / "x"), "must be a file"),
        (lambda out: (out / "x").write_bytes(b"\0" * (9 << 20)), "at most"),
        (lambda out: [(out / f"x{i}").touch() for i in range(1001)], "at most"),
    ],
)
def test_what_is_no_export_is_one_line(out, change, said):
    change(out)
    with pytest.raises(WorkbenchError, match=said):
        verify_export(out)


def test_an_earlier_export_is_replaced_and_nothing_else(tmp_path, files, out):
    fewer = {name: data for name, data in files.items() if name == "manifest.json"}
    write_folder(out, {**fewer, "manifest.json": files["manifest.json"]})
    assert [p.name for p in out.iterdir()] == ["manifest.json"]
    (out / "mine.txt").write_text("mine")
    with pytest.raises(FileError, match=r"mine.txt"):
        write_folder(out, files)
    assert (out / "mine.txt").read_text() == "mine"
    for name, make in (("a", lambda p: p.write_text("x")), ("b", lambda p: p.symlink_to(out))):
        make(tmp_path / name)
        with pytest.raises(FileError):
            write_folder(tmp_path / name, files)
    (tmp_path / "empty").mkdir()
    write_folder(tmp_path / "empty", files)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x").touch()
    with pytest.raises(FileError, match=r"isn.t an export"):
        write_folder(tmp_path / "other", files)
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


@pytest.mark.parametrize("step", ["_fill", "_sync"])
def test_what_fails_leaves_what_was_there(tmp_path, files, out, monkeypatch, step):
    def fail(*_):
        raise OSError(28, "No space left on device")

    before = {p.name: p.read_bytes() for p in out.iterdir()}
    monkeypatch.setattr(folders, step, fail)
    with pytest.raises(FileError, match="No space left"):
        write_folder(out, {"manifest.json": b"x"})
    assert {p.name: p.read_bytes() for p in out.iterdir()} == before
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


@pytest.fixture
def keys(tmp_path):
    """Two pairs of keys as files: of the signer, of a stranger."""
    for name in ("own", "other"):
        key = Ed25519PrivateKey.generate()
        (tmp_path / f"{name}.pem").write_bytes(
            key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        )
        public = key.public_key().public_bytes(PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        (tmp_path / f"{name}.pub").write_bytes(public)
    return tmp_path


def signed(out, keys):
    from workbench.export.signature import signing_key

    (out / "manifest.sig").write_bytes(
        signing_key(keys / "own.pem").sign((out / "manifest.json").read_bytes())
    )


def test_signatures(out, keys):
    own, other = verifying_key(keys / "own.pub"), verifying_key(keys / "other.pub")
    assert answers(out, own)["signature"].text == "manifest.sig is missing"
    signed(out, keys)
    assert answers(out, own)["signature"].ok and "files" not in wrong(out, own)
    assert "not looked at" in answers(out)["signature"].text
    assert not answers(out, other)["signature"].ok
    (out / "manifest.json").write_bytes((out / "manifest.json").read_bytes() + b"\n")
    assert not answers(out, own)["signature"].ok
    (out / "manifest.sig").write_bytes(b"short")
    assert not answers(out, own)["signature"].ok


def test_openssl_verifies_the_signature(out, keys):
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("no openssl")
    signed(out, keys)
    command = [program, "pkeyutl", "-verify", "-pubin", "-inkey", keys / "own.pub", "-rawin"]
    found = subprocess.run(
        [*command, "-in", out / "manifest.json", "-sigfile", out / "manifest.sig"],
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stderr


def test_bad_keys_are_one_line(keys, capsys):
    curve = generate_private_key(SECP256R1())
    (keys / "curve.pem").write_bytes(
        curve.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    secret = Ed25519PrivateKey.generate()
    (keys / "secret.pem").write_bytes(
        secret.private_bytes(
            PEM, serialization.PrivateFormat.PKCS8, serialization.BestAvailableEncryption(b"x")
        )
    )
    (keys / "junk.pem").write_bytes(b"junk")
    for name in ("own.pub", "curve.pem", "secret.pem", "junk.pem", "absent.pem"):
        arguments = [
            "export",
            "codex-of-fortune/strategy",
            "--out",
            str(keys / "o"),
            "--sign",
            str(keys / name),
        ]
        assert run(arguments) == 2
        assert name in capsys.readouterr().err.splitlines()[0]
    for name in ("own.pem", "junk.pem", "absent.pem"):
        assert run(["verify", str(keys), "--key", str(keys / name)]) == 2
        assert name in capsys.readouterr().err.splitlines()[0]
    assert not (keys / "o").exists()
    assert run(["verify", "codex-of-fortune/strategy", "--key", str(keys / "own.pub")]) == 2
    assert run(["verify", str(keys), "--witness", "100000"]) == 2


def test_commands_export_and_verify(keys, capsys):
    out = str(keys / "out")
    export = ["export", "codex-of-fortune/strategy", "--out", out, "--sign", str(keys / "own.pem")]
    assert run([*export, "--format", "csv", "--format", "c"]) == 0
    first = {p.name: p.read_bytes() for p in (keys / "out").iterdir()}
    assert {"strip_set.json", "index.csv", "strip_set.h", "manifest.json", "manifest.sig"} <= set(first)
    assert "strip_set.ts" not in first
    capsys.readouterr()
    assert run(["verify", out, "--key", str(keys / "own.pub"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ok"] and [check["name"] for check in found["checks"]][:3] == [
        "signature",
        "files",
        "strip set",
    ]
    (keys / "out" / "strip_set.h").write_bytes(first["strip_set.h"] + b"\n")
    assert run(["verify", out]) == 1
    assert "strip_set.h" in capsys.readouterr().out
    (keys / "out" / "manifest.json").write_bytes(b"{")
    assert run(["verify", out]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
