"""Two small jobs of ./check, which is bash.

  tests.py count JUNIT STATUS            passed, failed and skipped tests of a ctest run that ended with STATUS
  tests.py relocate SOURCE COPY < JSON   a CTestTestfile.cmake for programs and data that were copied, from
                                         `ctest --show-only=json-v1`
"""
import json
import sys
import xml.etree.ElementTree as tree


def count(junit, status):
    try:
        cases = list(tree.parse(junit).getroot().iter("testcase"))
    except (OSError, tree.ParseError):
        return 0, 1, 0  # ctest did not come so far
    # A test skipped itself, or is switched off. One that ctest could not start is no skipped test.
    def is_skipped(case):
        mark = case.find("skipped")
        return case.get("status") == "disabled" or (mark is not None and mark.get("message", "").startswith("SKIP_"))

    skipped = sum(map(is_skipped, cases))
    passed = sum(case.get("status") == "run" for case in cases)
    failed = len(cases) - skipped - passed
    return passed, failed or int(status != 0), skipped


def quoted(text):
    equals = "="
    while f"]{equals}]" in text:
        equals += "="
    return f"[{equals}[{text}]{equals}]"


def relocate(source, copy, listing):
    def moved(text):
        return text.replace(f"{source}/build/check/bin", f"{copy}/bin").replace(f"{source}/tests", f"{copy}/tests")

    for test in listing["tests"]:
        name, command = quoted(test["name"]), test.get("command")
        if not command:
            sys.exit(f"{test['name']} has no command: was it built?")
        yield f"add_test({name} {' '.join(quoted(moved(word)) for word in command)})"
        for entry in test.get("properties", []):
            value = entry["value"]
            if entry["name"] == "WORKING_DIRECTORY":
                value = f"{copy}/build"
            if isinstance(value, list):
                value = ";".join(str(item) for item in value)
            if isinstance(value, bool):
                value = "TRUE" if value else "FALSE"
            yield f"set_tests_properties({name} PROPERTIES {entry['name']} {quoted(moved(str(value)))})"


if sys.argv[1] == "count":
    print(*count(sys.argv[2], int(sys.argv[3])))
else:
    print("\n".join(relocate(sys.argv[2], sys.argv[3], json.load(sys.stdin))))
