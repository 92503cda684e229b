// The paths of the host that a profile names: whether they are there, and whether a jail may be shown them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace paddock::sandbox {

struct PathFault {
  std::string message;  // without the path itself
  std::string hint;
};

// `homes` are the folders that are somebody's home (HomeFolders()).

// An unpacked root file system: a folder, and not the host's root, a home, or one of the kernel's.
std::optional<PathFault> CheckImagePath(const std::string& path, const std::vector<std::string>& homes);

// Shown read-only at the same place: not `/`, /proc, /sys, /dev or /run, nor what is in these; no home folder or what
// holds one (what is in one may be named).
std::optional<PathFault> CheckReadPath(const std::string& path, const std::vector<std::string>& homes);

// An absolute path of a program, in `image` where that is not empty.
std::optional<PathFault> CheckProgramPath(const std::string& path, const std::string& image);

// The file that a bare name starts: looked for in the folders of /usr and of `image`; empty when it is not there.
std::string FindProgram(const std::string& name, const std::string& image);

// Is the way to `path` in `folder` anywhere: the file itself, a folder on the way, or a link that is followed? Both may be
// relative to the current folder. True as well where it can't be told: too many links, a folder that can't be resolved.
bool LeadsThrough(const std::string& path, const std::string& folder);

// A folder that holds somebody's keys: .ssh, .gnupg, .aws, ...
bool IsPlaceOfKeys(const std::string& path);

}  // namespace paddock::sandbox
