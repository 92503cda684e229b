// What a jail with a root of its own sees: its nodes, its mounts, and what Landlock lets it do there, built up step by
// step. Reads names and kinds of the system's files, never what is in them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/plan.h"

namespace paddock::sandbox {

// Rights of Landlock by what a place is for (landlock(7)).
extern const uint64_t kLandlockRead;   // look at files and folders
extern const uint64_t kLandlockRun;    // and run them
extern const uint64_t kLandlockWrite;  // and everything else but device nodes

// Where the original is while a private copy is made, and only the copier (subagents/cell/copy_workspace.h) sees it.
inline constexpr char kOriginal[] = "/.original";

class RootView {
 public:
  RootView();

  // A folder and those above it, unless they are there. `path` is absolute.
  void Folder(const std::string& path, uint32_t mode = 0755);
  void File(const std::string& path, std::string text, uint32_t mode = 0644);
  void Link(const std::string& path, std::string target);

  struct BindOptions {
    bool no_exec = false;
    bool id_mapped = false;
    bool device = false;
    bool for_copier = false;      // nobody else sees it
    bool place_is_there = false;  // in an earlier mount: nothing is made for it to be mounted on
  };
  // The host's `source`, read-only, at `target`. kNotFound when there is no such thing.
  Status Bind(const std::string& source, const std::string& target, BindOptions options);
  // An empty folder in memory that belongs to the jail's user.
  void Tmpfs(const std::string& target, uint64_t size, uint32_t mode, bool no_exec);
  void Mask(const std::string& target, bool for_copier = false);
  void Mount(MountOp op);

  void Allow(const std::string& path, uint64_t access) { rules_.push_back({path, access}); }

  // Is it there already: made, or somewhere in what is mounted?
  bool Has(const std::string& path) const;
  // Does a mask lie over it, or over a folder above it?
  bool Covers(const std::string& path) const;
  // Moves everything into the plan.
  void MoveTo(Plan* plan);

 private:
  void Parents(const std::string& path);

  std::vector<NodeOp> nodes_;
  std::vector<MountOp> mounts_;
  std::vector<LandlockRule> rules_;
};

// /dev with what programs expect; `terminals` adds terminals of the jail's own. `shm_size` is that of /dev/shm.
Status AddDevices(RootView* view, bool terminals, uint64_t shm_size, bool no_exec);
// /proc by the profile, or none.
void AddProc(RootView* view, bool only_processes);
// /usr and what belongs to it, and a made-up /etc without accounts, hosts or settings of the machine's own.
Status AddMinimalRoot(RootView* view, bool no_exec);
// The top level of a root file system that lies in a folder. kInvalid when it isn't one.
Status AddImageRoot(RootView* view, const std::string& image, bool no_exec);
// The machine itself but /dev, /proc, /sys, /run, /tmp, /var/tmp and the homes.
Status AddHostRoot(RootView* view, const std::vector<std::string>& homes, bool no_exec);

}  // namespace paddock::sandbox
