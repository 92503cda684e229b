"""What the virtual machine's root file system is made of: the files of some installed packages and of all that they depend
on, and the libraries of some programs.

  root_files.py key PACKAGE... -- PROGRAM...     what a file system was made of: packages with their versions, libraries
  root_files.py files PACKAGE... -- PROGRAM...   their files and folders, each after the folder that it is in, without the
                                                 leading slash and ended by a null byte, as tar --files-from --null reads them

Documentation, translations and what is not below /usr or /etc are left out. A package that is not installed is an error.
"""
import os
import re
import subprocess
import sys

LEFT_OUT = re.compile(r"/usr/share/(doc|man|info|locale|lintian|bug|menu|zoneinfo|icons|vim)/")
# The links of a merged /usr, which belong to no package, and what the loader and the alternatives need.
BESIDE = ["/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/alternatives"]


def dpkg(*words):
    return subprocess.run(["dpkg-query", *words], check=True, capture_output=True, text=True).stdout


def installed():
    """Name, and what it provides: (package with its architecture, version, what it depends on)."""
    found = {}
    form = "${db:Status-Status}\t${binary:Package}\t${Package}\t${Version}\t${Pre-Depends}, ${Depends}\t${Provides}\n"
    for line in dpkg("-W", "-f", form).splitlines():
        status, full, name, version, depends, provides = line.split("\t")
        if status != "installed":
            continue
        one = (full, version, names_in(depends))
        found[name] = one
        for other in names_in(provides):
            found.setdefault(other[0], one)
    return found


def names_in(relation):
    """`a (>= 1) | b, c:any` as [[a, b], [c]]."""
    groups = [[re.split(r"[ (:]", name.strip())[0] for name in group.split("|")] for group in relation.split(",")]
    return [[name for name in group if name] for group in groups if any(group)]


def closure(wanted):
    known, taken, ahead = installed(), {}, [[name] for name in wanted]
    while ahead:
        names = ahead.pop()
        found = next((known[name] for name in names if name in known), None)
        if found is None:
            sys.exit(f"root_files.py: not installed: {' | '.join(names)}")
        if found[0] not in taken:
            taken[found[0]] = found[1]
            ahead += found[2]
    return taken


def libraries(programs):
    """With what their links lead to, which has the version in its name."""
    found = set()
    for program in programs:
        answer = subprocess.run(["ldd", program], capture_output=True, text=True).stdout  # nothing for a static one
        for path in re.findall(r"(/[^ ]+) \(0x", answer):
            found |= {path, os.path.realpath(path)}
    return sorted(found)


def files(packages, programs):
    listed = dpkg("-L", *packages).splitlines() + libraries(programs)
    names = os.listdir("/etc/alternatives")
    # The names that programs go by (ctags is ctags-universal) are links of no package.
    links = [os.path.join(folder, name) for folder in ("/etc/alternatives", "/usr/bin") for name in names if os.path.islink(os.path.join(folder, name))]
    seen = set()
    for path in BESIDE + links + listed:
        if not path.startswith("/") or not os.path.lexists(path):
            continue
        # /lib/x is /usr/lib/x here; the last part may be a link of the package's own.
        folder, name = os.path.split(path)
        path = os.path.join(os.path.realpath(folder), name)
        if not path.startswith(("/usr/", "/etc/")) and path not in BESIDE:
            continue
        if LEFT_OUT.match(path + "/"):
            continue
        if not os.path.islink(path) and not os.access(path, os.R_OK):
            continue  # such as /etc/shadow and keys: nobody's test needs it
        parts = path.split("/")
        seen.update("/".join(parts[:end]) for end in range(2, len(parts) + 1))
    return sorted(seen)


cut = sys.argv.index("--")
packages, programs = closure(sys.argv[2:cut]), sys.argv[cut + 1 :]
if sys.argv[1] == "key":
    print(*(" ".join(one) for one in sorted(packages.items())), *libraries(programs), sep="\n")
else:
    sys.stdout.writelines(path[1:] + "\0" for path in files(packages, programs))
