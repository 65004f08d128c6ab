"""Pictures of every kind that is taken, made on the spot."""

import struct
import zlib
from io import BytesIO
from typing import Any

from PIL import Image, PngImagePlugin

SECRET = b"GPS-40.4168N-3.7038W"
"""What no picture may tell."""


def png(width: int = 8, height: int = 4) -> bytes:
    """The least PNG of that size."""
    rows = b"".join(b"\0" + b"\x7f" * (3 * width) for _ in range(height))
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, body) for kind, body in parts)


def chunk(kind: bytes, body: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def drawn(kind: str, size: tuple[int, int] = (40, 20), turn: int = 0, mode: str = "RGB", **options: Any) -> bytes:
    """A picture by Pillow, with everything in it that a telephone would add."""
    image = Image.new(mode, size)
    image.putdata([(x * 5 % 256, y * 9 % 256, 128, 200)[: len(mode)] for y in range(size[1]) for x in range(size[0])])
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()
    if turn:
        exif[0x0112] = turn
    out = BytesIO()
    if kind == "PNG":
        told = PngImagePlugin.PngInfo()
        told.add_text("Comment", SECRET.decode())
        told.add_itxt("XML:com.adobe.xmp", SECRET.decode())
        options["pnginfo"] = told
    else:
        options["xmp"] = SECRET
    if kind == "JPEG":
        options["comment"] = SECRET
    image.save(out, kind, exif=exif, **options)
    return out.getvalue()


def looked_at(content: bytes) -> tuple[tuple[int, int], bytes]:
    """Size and pixels of a picture as a browser shows it: turned."""
    from PIL import ImageOps

    with Image.open(BytesIO(content)) as image:
        shown = ImageOps.exif_transpose(image)
        return shown.size, shown.convert("RGBA").tobytes()
