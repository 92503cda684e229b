// Reading profiles: shipped ones, the user's own by name, and files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sandbox/profile.h"
#include "sandbox/profile_chain.h"

namespace paddock::sandbox {

// Something that a profile says and that is not what its author may think; it counts all the same.
struct ProfileWarning {
  std::string place;    // "mine.json:12"
  std::string message;  // begins with a JSON path
};

// "PLACE: MESSAGE", a note each.
std::vector<std::string> NotesOf(const std::vector<ProfileWarning>& warnings);

struct LoadedProfile {
  Profile profile;
  std::vector<ProfileWarning> warnings;
  ProfileChain chain;  // the files that it was read from
};

// `wanted` is a name, or a path, which has a `/`. kNotFound lists the known names and the nearest; kInvalid: file and
// line, JSON path, what is there, what to write instead. It is the first fault; `further`, which may be null, gets the others: those of each
// value by itself, or where all of these are good, those of values that contradict each other. Nothing is started, nothing written.
Result<LoadedProfile> LoadProfile(const std::string& wanted, const ProfileFiles& files, Faults* further = nullptr);

// One that paddock ships.
Result<Profile> ShippedProfile(std::string_view name);

// `text` of a file called `file_name` (for messages, and for paths that it names). Without `files` it may extend shipped profiles only.
Result<LoadedProfile> ParseProfile(std::string_view text, const std::string& file_name, const ProfileFiles& files, Faults* further = nullptr);
Result<Profile> ParseProfile(std::string_view text, const std::string& file_name);

}  // namespace paddock::sandbox
