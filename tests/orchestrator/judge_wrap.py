"""Runs `paddock wrap` on texts that try to get out of the marks, or to hide: judge_wrap.py PADDOCK CASES.jsonl.gz

A case is {id, technique, channel, guarantees[], payload or payload_b64}. Every guarantee that a wrapper can give is
looked at: the marks, their attributes, nothing invisible, valid UTF-8, and that ordinary text stays.
"""
import base64
import gzip
import html
import json
import re
import subprocess
import sys
import unicodedata

TAG = "untrusted_content"
FLAG = re.compile("\U0001F3F4[\U000E0030-\U000E0039\U000E0061-\U000E007A]{2,6}\U000E007F")
HIDDEN = re.compile("[\u00ad\u034f\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\u3164\ufeff\uffa0\U000E0000-\U000E007F\U000E0100-\U000E01EF]"
                    "|(?<=[\x00-\x7f\ufe00-\ufe0f])[\ufe00-\ufe0f]")


def wrap(program, channel, path, data):
    done = subprocess.run([program, "wrap", "--source", channel, "--path", path.replace("\0", "")], input=data, capture_output=True, check=True)
    return done.stdout.decode()  # strict: what is not UTF-8 is a fault


def faults(case, payload, out):
    opening = re.match(r'<%s id="([0-9a-f]{16,})" source="([^"<>\n]*)"( path="([^"<>\n]*)")?>\n' % TAG, out)
    if not opening:
        return ["no opening mark"]
    body = out[opening.end():].rstrip("\n")
    closing = f'</{TAG} id="{opening.group(1)}">'
    if not body.endswith(closing) or body.count(opening.group(1)) != 1:
        return ["the closing mark is not the last thing"]
    body = body[: -len(closing)]
    folded = unicodedata.normalize("NFKC", HIDDEN.sub("", FLAG.sub("", body)))
    found = []
    if re.search(r"<[\s/]*untrusted", folded, re.I):
        found.append("a look-alike of the mark")
    if re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", opening.group(0)[:-1]):
        found.append("an attribute that hides something")
    if case["channel"] == "path" and re.search("<system>|<b>", out):
        found.append("a tag from the path")
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", body):
        found.append("a control character")
    if HIDDEN.search(FLAG.sub("", body)):
        found.append("an invisible character")
    if "role_safe" in case["guarantees"] and re.search(r"<\|\w+\|>|</?s>|\[/?INST\]|<(start|end)_of_turn>", body):
        found.append("a mark of a dialogue format")
    if "legit_kept" in case["guarantees"]:
        for word in re.findall(r"[^\W\d_]{3,}", re.sub(r"\x1b\[[0-9;]*m", "", payload)):
            if word not in body and word not in html.unescape(body):
                found.append("lost " + word)
        for kept in ["\u200c", "\u200d", "\ufe0f"] + FLAG.findall(payload):
            if kept in payload and kept not in body:
                found.append("lost a joiner or a flag")
    return found


program, name = sys.argv[1:]
count = bad = 0
with gzip.open(name, "rt", encoding="utf-8") as lines:
    for case in map(json.loads, lines):
        count += 1
        data = base64.b64decode(case["payload_b64"]) if "payload_b64" in case else case["payload"].encode()
        payload, path = data.decode("utf-8", "replace"), "notes.txt"
        if case["channel"] == "path":
            path, data = payload, b"content\n"
        try:
            found = faults(case, payload, wrap(program, case["channel"], path, data))
        except (subprocess.CalledProcessError, UnicodeDecodeError) as fault:
            found = [repr(fault)]
        if found:
            bad += 1
            print(case["id"], case["technique"], case["channel"], *found)
print(f"{count} cases, {bad} bad")
sys.exit(bad > 0 or count < 90)
