"""An OpenID Connect issuer in process, which is strict about PKCE, and can be made to lie."""

import base64
import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

ISSUER = "https://id.example"
CLIENT = "console"


@dataclass
class StrictIssuer:
    """Codes are good once, for whoever has the verifier of the challenge they were given for."""

    key: Any = field(default_factory=lambda: rsa.generate_private_key(public_exponent=65537, key_size=2048))
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    claims: dict[str, Any] = field(default_factory=dict)
    """What its ID tokens say otherwise than they should."""
    access: str = "opaque"
    discovered: dict[str, Any] = field(default_factory=dict)
    """What its discovery document says otherwise."""
    status: int = 200
    body: bytes | None = None
    asked: list[str] = field(default_factory=list)

    def keys(self) -> Mapping[str, Any]:
        public = RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        return {"keys": [{**public, "kid": "one", "alg": "RS256"}]}

    def approve(self, url: str, sub: str = "ana") -> str:
        """What the person does there: gives the code."""
        parts = urlsplit(url)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{ISSUER}/authorize"
        query = {name: value for name, (value,) in parse_qs(parts.query).items()}
        assert query["response_type"] == "code"
        assert query["client_id"] == CLIENT
        assert query["code_challenge_method"] == "S256"
        code = f"code-{len(self.codes)}"
        self.codes[code] = {**query, "sub": sub}
        return code

    def ask(self, method: str, url: str, form: Mapping[str, str] | None) -> tuple[int, bytes]:
        """What a client sends over the network."""
        self.asked.append(url)
        if self.body is not None or self.status != 200:
            return self.status, self.body or b"{}"
        if url == f"{ISSUER}/.well-known/openid-configuration":
            told = {
                "issuer": ISSUER,
                "authorization_endpoint": f"{ISSUER}/authorize",
                "token_endpoint": f"{ISSUER}/token",
                **self.discovered,
            }
            return 200, json.dumps(told).encode()
        assert (method, url) == ("POST", f"{ISSUER}/token")
        assert form
        return self._redeem(form)

    def _redeem(self, form: Mapping[str, str]) -> tuple[int, bytes]:
        given = self.codes.pop(form["code"], None)
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        right = given and (given["code_challenge"], given["redirect_uri"]) == (challenge, form["redirect_uri"])
        if not given or not right or form["client_id"] != CLIENT or form["grant_type"] != "authorization_code":
            return 400, b'{"error": "invalid_grant"}'
        token = self.token(**{"sub": given["sub"], "aud": CLIENT, "nonce": given["nonce"], **self.claims})
        return 200, json.dumps({"id_token": token, "access_token": self.access, "token_type": "Bearer"}).encode()

    def token(self, sub: str | None, **claims: Any) -> str:
        now = int(time.time())
        said = {"iss": ISSUER, "sub": sub, "name": "Ana", "iat": now, "exp": now + 600, **claims}
        kept = {name: each for name, each in said.items() if each is not None}
        return jwt.encode(kept, self.key, algorithm="RS256", headers={"kid": "one"})
