// A made-up tree of control groups in a temporary folder. A group that is made in it gets the files that the kernel would make;
// those that are written to are empty at first, since a write doesn't replace what a plain file holds.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sandbox/limits/view.h"

namespace paddock::sandbox {

class CgroupTree {
 public:
  CgroupTree() {
    std::string pattern = std::filesystem::temp_directory_path() / "paddock-cgroup-XXXXXX";
    root_ = mkdtemp(pattern.data());
    chmod(root_.c_str(), 0755);
  }
  ~CgroupTree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  // Lines of mountinfo: the group `from` of the hierarchy at the folder `at`.
  void MountV2(const std::string& at, const std::string& from, const std::string& options = "rw") {
    Line(at, from, options, "cgroup2 cgroup2 rw,nsdelegate");
  }
  void MountV1(const std::string& at, const std::string& from, const std::string& controllers, const std::string& options = "rw") {
    Line(at, from, options, "cgroup cgroup rw," + controllers);
  }
  void Line(const std::string& at, const std::string& from, const std::string& options, const std::string& rest) {
    mounts_ += "30 22 0:27 " + from + " " + at + " " + options + ",relatime shared:9 - " + rest + "\n";
  }
  void MountLine(const std::string& line) { mounts_ += line + "\n"; }

  // Groups, holding this process only if `processes` says so.
  void GroupV2(const std::string& at, const std::string& controllers, const std::string& handed_on, const std::string& processes = Self()) {
    Fill(root_ + at, true);
    Write(at + "/cgroup.controllers", controllers + "\n");
    Write(at + "/cgroup.subtree_control", handed_on + "\n");
    Write(at + "/cgroup.procs", processes);
  }
  void GroupV1(const std::string& at, const std::string& processes = Self()) {
    Fill(root_ + at, false);
    Write(at + "/cgroup.procs", processes);
  }
  void Enter(const std::string& own_groups) { own_ = own_groups + "\n"; }
  void Write(const std::string& path, const std::string& text) { std::ofstream(root_ + path) << text; }
  std::string Read(const std::string& path) const {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  // Files that the kernel would not make in new groups.
  void Lack(const std::string& file) { lacking_ += "/" + file + "/"; }
  // systemd's mark on a group.
  void Delegate(const std::string& at) { delegated_ = at; }
  void FailMaking(int err) { make_error_ = err; }

  limits::CgroupView view() {
    limits::CgroupView view;
    view.own_groups = own_;
    view.mountinfo = mounts_;
    view.root = root_;
    view.is_delegated = [this](const std::string& path) { return path == root_ + delegated_; };
    view.make_folder = [this](const std::string& path) {
      if (make_error_) return make_error_;
      if (mkdir(path.c_str(), 0700) < 0) return errno;
      Fill(path, std::filesystem::exists(std::filesystem::path(path).parent_path() / "cgroup.subtree_control"));
      return 0;
    };
    view.remove_folder = [](const std::string& path) {
      std::error_code error;
      return std::filesystem::remove_all(path, error) > 0 ? 0 : ENOENT;
    };
    return view;
  }

  static std::string Self() { return std::to_string(getpid()) + "\n"; }
  const std::string& root() const { return root_; }
  size_t Entries() const {
    return static_cast<size_t>(std::distance(std::filesystem::recursive_directory_iterator(root_), std::filesystem::recursive_directory_iterator()));
  }
  // The children named paddock-* of a group.
  std::vector<std::string> Children(const std::string& at) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(root_ + at))
      if (entry.path().filename().string().starts_with("paddock-")) names.push_back(entry.path());
    return names;
  }

 private:
  void Fill(const std::string& path, bool version2) {
    std::filesystem::create_directories(path);
    const auto file = [&](const std::string& name, const char* text) {
      if (lacking_.find("/" + name + "/") == lacking_.npos) std::ofstream(path + "/" + name) << text;
    };
    file("cgroup.procs", "");
    file("pids.max", "");
    file("pids.current", "3\n");
    if (version2) {
      file("cgroup.type", "domain\n");
      file("cgroup.controllers", "");
      file("cgroup.subtree_control", "");
      file("cgroup.events", "populated 0\nfrozen 0\n");
      file("memory.max", "");
      file("memory.swap.max", "");
      file("memory.oom.group", "");
      file("memory.peak", "4096\n");
      file("memory.events", "low 0\nhigh 0\nmax 7\noom 2\noom_kill 1\noom_group_kill 1\n");
      file("cpu.stat", "usage_usec 1500\nuser_usec 1000\nsystem_usec 500\n");
    } else {
      file("memory.limit_in_bytes", "");
      file("memory.memsw.limit_in_bytes", "");
      file("memory.swappiness", "");
      file("memory.max_usage_in_bytes", "8192\n");
      file("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
      file("cpuacct.usage", "2500000\n");
    }
  }

  std::string root_, mounts_, own_, lacking_, delegated_ = "none";
  int make_error_ = 0;
};

}  // namespace paddock::sandbox
