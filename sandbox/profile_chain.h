// The files that a profile is made of: itself, what it extends, what that extends, and so on.
//
// `extends` names a profile that comes with paddock, one of the user's own, or a file (it has a `/`), relative to the
// file that it stands in. Every file is read strictly by itself; an error names the file and the line where the value
// was written, whichever of them it is.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace paddock::sandbox {

// What is wrong with a profile, each by itself, in the order in which it was found; what is beyond kMostFaults is not kept.
using Faults = std::vector<Error>;
inline constexpr size_t kMostFaults = 20;
void AddFault(std::unexpected<Error> fault, Faults* faults);

// A whole file. What may be read at all is decided there: size, kind, and where it lies.
using ReadProfileFile = std::function<Result<std::string>(const std::string& path)>;

// Can a pattern of filesystem.hide match anything? Who looks for what it matches knows.
using CheckHidePattern = std::function<Status(const std::string& pattern)>;

struct ProfileFiles {
  ReadProfileFile read;          // null: only shipped profiles can be extended
  CheckHidePattern check_hide;   // null: any pattern passes
  std::string own_folder;        // holds the user's own as NAME.json
  std::vector<std::string> own;  // their names
};

struct ProfileSource {
  std::string called;  // as it was asked for: a name or a path
  std::string path;    // of the file; "NAME.json" of a shipped one
  bool shipped = false;
  std::string text;
  Json json;
};

// The profile itself first. Never empty.
using ProfileChain = std::vector<ProfileSource>;

// Names of the profiles that paddock ships, sorted.
std::vector<std::string> ShippedProfileNames();

// Where a name or a path leads, without reading it but for a shipped one; `beside` is the file that says so, or empty. kNotFound lists the
// known names; kInvalid: a file of the user's own has the name of a shipped profile.
Result<ProfileSource> LocateProfile(const std::string& called, const std::string& beside, const ProfileFiles& files);

// All files, from one that was located, as far as they can be read. What is wrong goes to `faults`, kInvalid: file, line, JSON path, what
// was expected; a cycle with its chain. The JSON of a source is what is good of it.
ProfileChain LoadChain(ProfileSource first, const ProfileFiles& files, Faults* faults);

// Objects merged, lists, values and env.set replaced, from the last of the chain to the first.
Json MergeChain(const ProfileChain& chain);

// "mine.json:12" of the value that counts: where the first file of the chain has it.
struct ProfilePlace {
  std::string file;  // visible
  size_t line = 1;
  bool shipped = false;
};
ProfilePlace PlaceInChain(const ProfileChain& chain, const std::string& json_path);
// As that, or of the first of `others` that stands in a file of the user's own, where `json_path` does not: a shipped
// file is not at fault.
ProfilePlace PlaceInChain(const ProfileChain& chain, const std::string& json_path, const std::vector<std::string>& others);

// "FILE:LINE: JSON_PATH: message".
std::unexpected<Error> FailAt(const ProfileChain& chain, const std::string& json_path, const std::string& message, const std::string& hint,
                              const std::vector<std::string>& others = {});

}  // namespace paddock::sandbox
