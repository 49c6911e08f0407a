"""What a file is by its first bytes; its name and what the sender calls it count for nothing."""

PDF = "application/pdf"
READ_BY_MODELS = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_HEAD = 1024
"""PDF's mark may stand behind other bytes, up to here (ISO 32000, implementation notes)."""
_STARTS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_HEIC = frozenset({b"heic", b"heix", b"mif1", b"msf1", b"hevc"})


def kind_of_file(content: bytes) -> str:
    """The media type of a PDF or an image; empty for anything else."""
    if b"%PDF-" in content[:_HEAD]:
        return PDF
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    if content[4:8] == b"ftyp" and content[8:12] in _HEIC:
        return "image/heic"
    return next((kind for start, kind in _STARTS if content.startswith(start)), "")
