// The plan's byte form: each field in order, integers as 8 bytes little endian, strings and lists with
// their length before them. One list of fields serves writing and reading.
#include "sandbox/plan.h"

#include <cstring>

namespace paddock::sandbox {
namespace {

constexpr uint64_t kMagic = 0x334e414c50444450;  // "PDDPLAN3"

class Writer {
 public:
  void Number(uint64_t& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void Text(std::string& value) {
    uint64_t size = value.size();
    Number(size);
    bytes += value;
  }
  template <class T>
  void Size(std::vector<T>& list) {
    uint64_t size = list.size();
    Number(size);
  }
  std::string bytes;
};

class Reader {
 public:
  explicit Reader(std::string_view input) : rest(input) {}
  void Number(uint64_t& value) {
    if (rest.size() < sizeof value) {
      good = false;
      return;
    }
    std::memcpy(&value, rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
  }
  void Text(std::string& value) {
    uint64_t size = 0;
    Number(size);
    if (!good || size > rest.size()) {
      good = false;
      return;
    }
    value.assign(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  template <class T>
  void Size(std::vector<T>& list) {
    uint64_t size = 0;
    Number(size);
    if (!good || size > rest.size() / sizeof(uint64_t)) {
      good = false;
      return;
    }
    list.resize(size);
  }
  std::string_view rest;
  bool good = true;
};

template <class A, class T>
void Item(A& archive, T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    archive.Text(value);
  } else {
    uint64_t wide = static_cast<uint64_t>(value);
    archive.Number(wide);
    value = static_cast<T>(wide);
  }
}

template <class A>
void Item(A& archive, MountOp& op) {
  Item(archive, op.kind);
  Item(archive, op.source);
  Item(archive, op.source_device);
  Item(archive, op.source_inode);
  Item(archive, op.target);
  Item(archive, op.recursive);
  Item(archive, op.read_only);
  Item(archive, op.no_exec);
  Item(archive, op.id_mapped);
  Item(archive, op.for_copier);
  Item(archive, op.device);
  Item(archive, op.size);
  Item(archive, op.mode);
  Item(archive, op.only_processes);
}

template <class A>
void Item(A& archive, NodeOp& node) {
  Item(archive, node.kind);
  Item(archive, node.path);
  Item(archive, node.text);
  Item(archive, node.mode);
}

template <class A>
void Item(A& archive, PeekRule& peek) {
  Item(archive, peek.call);
  Item(archive, peek.argument);
  Item(archive, peek.address);
}

template <class A>
void Item(A& archive, LandlockRule& rule) {
  Item(archive, rule.path);
  Item(archive, rule.access);
}

template <class A>
void Item(A& archive, ResourceLimit& limit) {
  Item(archive, limit.resource);
  Item(archive, limit.value);
}

template <class A, class T>
void List(A& archive, std::vector<T>& list) {
  archive.Size(list);
  for (T& item : list) Item(archive, item);
}

template <class A>
void Visit(A& archive, Plan& plan) {
  Item(archive, plan.namespaces);
  Item(archive, plan.network);
  Item(archive, plan.inner_uid);
  Item(archive, plan.inner_gid);
  Item(archive, plan.outer_uid);
  Item(archive, plan.outer_gid);
  Item(archive, plan.hostname);
  Item(archive, plan.own_root);
  List(archive, plan.nodes);
  List(archive, plan.mounts);
  Item(archive, plan.loopback);
  Item(archive, plan.new_keyring);
  Item(archive, plan.drop_capabilities);
  Item(archive, plan.no_new_privs);
  Item(archive, plan.landlock);
  Item(archive, plan.landlock_optional);
  Item(archive, plan.landlock_tcp);
  List(archive, plan.landlock_rules);
  List(archive, plan.limits);
  Item(archive, plan.filter);
  Item(archive, plan.notify);
  Item(archive, plan.notify_errno);
  Item(archive, plan.notify_limit);
  List(archive, plan.peeks);
  List(archive, plan.copier);
  Item(archive, plan.program);
  List(archive, plan.argv);
  List(archive, plan.environment);
  Item(archive, plan.working_folder);
  List(archive, plan.descriptors);
  List(archive, plan.terminal_descriptors);
  Item(archive, plan.wall_ms);
  Item(archive, plan.hold);
}

}  // namespace

std::string EncodePlan(const Plan& plan) {
  Writer writer;
  uint64_t magic = kMagic;
  writer.Number(magic);
  Plan copy = plan;  // the field list serves reading too, so it takes a mutable plan
  Visit(writer, copy);
  return std::move(writer.bytes);
}

Result<Plan> DecodePlan(std::string_view bytes) {
  Reader reader(bytes);
  uint64_t magic = 0;
  reader.Number(magic);
  Plan plan;
  if (magic == kMagic) Visit(reader, plan);
  if (magic != kMagic || !reader.good || !reader.rest.empty())
    return Fail(ErrorKind::kProtocol, "not a plan of this version");
  return plan;
}

}  // namespace paddock::sandbox
