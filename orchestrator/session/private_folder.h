// Folders and files of paddock's in the user's state folder: the owner's alone, and reached through no symbolic link of theirs.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"

namespace paddock::orchestrator {

// $XDG_STATE_HOME/paddock/NAME, made (0700) where it is not there. kDenied: a symlink, somebody else's, open to others.
Result<UniqueFd> OpenPrivateFolder(const std::string& state_folder, const std::string& name);
// The same without making anything: kNotFound.
Result<UniqueFd> FindPrivateFolder(const std::string& state_folder, const std::string& name);
// One in an open folder, made where it is not there. `shown` is for messages.
Result<UniqueFd> OpenFolderIn(int parent, const std::string& name, const std::string& shown);

// 0600, under another name first, so that a reader finds the whole file or none.
Status WritePrivateFile(int folder, const std::string& name, const std::string& text, const std::string& shown);
// A regular file of the user's that nobody else can write. kNotFound; kDenied; kLimit.
Result<std::string> ReadPrivateFile(int folder, const std::string& name, const std::string& shown, size_t max_bytes);

// One write(2); what is missing is the caller's to judge.
ssize_t WriteOnce(int fd, std::string_view text);
std::unexpected<Error> CantKeep(const std::string& what, int err = errno);

}  // namespace paddock::orchestrator
