"""Detached Ed25519 signatures with keys of the user's, in PEM; the only importer of cryptography."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from workbench.errors import FileError
from workbench.reels.files import read_file

PRIVATE = "an Ed25519 private key in PEM without a passphrase (openssl genpkey -algorithm ed25519)"
PUBLIC = "an Ed25519 public key in PEM (openssl pkey -pubout)"


class SigningKey(Protocol):
    """An Ed25519 private key."""

    def sign(self, data: bytes) -> bytes:
        """The 64 bytes of the signature."""


class VerifyingKey(Protocol):
    """An Ed25519 public key."""

    def verify(self, signature: bytes, data: bytes) -> None:
        """Raise where the signature isn't that of the data."""


def signing_key(path: Path) -> SigningKey:
    """The private key in a file; FileError if it holds something else."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(read_file(path), None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise FileError(f"{path}: must be {PRIVATE}")
    return key


def verifying_key(path: Path) -> VerifyingKey:
    """The public key in a file; FileError if it holds something else."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        key = load_pem_public_key(read_file(path))
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise FileError(f"{path}: must be {PUBLIC}")
    return key


def is_signed_by(key: VerifyingKey, signature: bytes, data: bytes) -> bool:
    """Whether the signature is that of the data by the key's private half."""
    from cryptography.exceptions import InvalidSignature

    try:
        key.verify(signature, data)
    except InvalidSignature:
        return False
    return True
