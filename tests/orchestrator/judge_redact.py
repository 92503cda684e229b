"""Runs `paddock redact` on labelled texts: judge_redact.py PADDOCK CASES.jsonl.gz...

A case is {id, expect, kind, tier, text, must_redact, keep}. Where `expect` is "redact", nothing of must_redact may be
left (nor all but a few of its characters) and all of `keep` must be; where it is "leave", the text stays as it is. The
tier "nice-to-have" counts too: what is reached is held.
"""
import gzip
import json
import subprocess
import sys


def redact(program, text):
    done = subprocess.run([program, "redact"], input=text.encode(), capture_output=True, check=True)
    return done.stdout.decode()


def faults(case, out):
    if case["expect"] == "leave":
        return [] if out == case["text"] else ["changed"]
    left = [m for m in case["must_redact"] if m in out or (len(m) > 24 and m[4:-4] in out)]
    lost = [k for k in case["keep"] if k not in out]
    return ["leaked" for _ in left[:1]] + ["lost " + one for one in lost[:1]]


program, files = sys.argv[1], sys.argv[2:]
count = bad = 0
for name in files:
    with gzip.open(name, "rt", encoding="utf-8") as lines:
        for case in map(json.loads, lines):
            count += 1
            out = redact(program, case["text"])
            found = faults(case, out)
            if redact(program, out) != out:
                found.append("another pass changes it")
            if found:
                bad += 1
                print(name, case["id"], case.get("tier", ""), case["kind"], *found)
print(f"{count} cases, {bad} bad")
sys.exit(bad > 0 or count < 200)
