#include <dirent.h>

#include "sandbox/limits/owner.h"
#include "sandbox/limits/place.h"

namespace paddock::sandbox::limits {

void RemoveLeftovers(const CgroupView& view, const std::string& folder) {
  DIR* children = opendir(folder.c_str());
  if (!children) return;
  std::vector<std::string> left;
  while (dirent* entry = readdir(children)) {
    const auto owner = OwnerIn(entry->d_name);
    if (owner && IsGone(*owner)) left.push_back(folder + "/" + entry->d_name);
  }
  closedir(children);
  for (const std::string& group : left)
    if (UniqueFd lock = LockGroup(group)) view.remove_folder(group);
}

}  // namespace paddock::sandbox::limits
