"""What came of a group of tests in the virtual machine: "PASSED FAILED SKIPPED", and on standard error which failed and why.

  count.py EXPECTED FOLDER NAME     EXPECTED: how many tests the group has, as the program lists them outside of the machine

A test that has no result there has failed: one that did not come to run is never left out of the counts.
"""
import sys
import xml.etree.ElementTree as tree

LINES, COLUMNS = 12, 400  # of a failure, and of the log where there are no results


def show(title, text):
    lines = [line[:COLUMNS] for line in text.strip().splitlines()]
    print(title, *lines[-LINES:], sep="\n    ", file=sys.stderr)


def text_of(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""


expected, base = int(sys.argv[1]), f"{sys.argv[2]}/{sys.argv[3]}"
status, passed, skipped = text_of(base + ".status").strip(), 0, 0
try:
    cases = list(tree.parse(base + ".xml").getroot().iter("testcase"))
except (OSError, tree.ParseError):
    cases = []
    show(f"{sys.argv[3]}: no results, exit status {status or 'unknown'}", text_of(base + ".log"))
for case in cases:
    failures = case.findall("failure")
    if failures:
        show(f"{sys.argv[3]}: {case.get('classname')}.{case.get('name')}", "\n".join(one.get("message", "") for one in failures))
    elif case.find("skipped") is not None:
        skipped += 1
    elif case.get("status") == "run" and case.get("result") == "completed":
        passed += 1
failed = max(expected - passed - skipped, len(cases) - passed - skipped)
print(passed, failed or int(status != "0" or expected == 0), skipped)
