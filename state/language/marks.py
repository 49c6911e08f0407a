"""Signs that say yes or no: ticks, crosses and thumbs, as they are typed and as Slack names them."""

import re

YES_SIGNS = "✓✔☑✅👍"
NO_SIGNS = "✗✘❌❎👎"
NAMED = {
    "+1": True, "thumbsup": True, "white_check_mark": True, "heavy_check_mark": True, "ballot_box_with_check": True,
    "-1": False, "thumbsdown": False, "x": False, "negative_squared_cross_mark": False,
}  # fmt: skip
SIGN = re.compile(rf"[{YES_SIGNS}{NO_SIGNS}]|:({'|'.join(map(re.escape, NAMED))}):")


def mark_alone(text: str) -> bool | None:
    """What the signs of a message without words say; None where there is none, or both."""
    said = {_meaning(m) for m in SIGN.finditer(text)}
    return said.pop() if len(said) == 1 else None


def _meaning(match: re.Match[str]) -> bool:
    return NAMED[match[1]] if match[1] else match[0] in YES_SIGNS
