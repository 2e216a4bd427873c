import hashlib
import hmac
import time


def verify(secret: str, header: str, body: bytes, now: float | None = None) -> bool:
    """Body is what arrived, before any parsing; now is in seconds since 1970."""
    pairs = [part.strip().partition("=")[::2] for part in header.split(",")]
    timestamp = next((value for key, value in pairs if key == "t"), "")
    if not (timestamp.isascii() and timestamp.isdigit()):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > 300:
        return False
    signed = timestamp.encode() + b"." + body
    want = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest().encode()
    return any(key == "v1" and hmac.compare_digest(want, value.encode()) for key, value in pairs)
