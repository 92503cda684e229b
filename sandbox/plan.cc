// The plan's byte form: each field in order, integers as 8 bytes little endian, strings and lists with
// their length before them. One Visit a struct serves writing and reading.
#include "sandbox/plan.h"

#include <concepts>
#include <cstring>
#include <type_traits>

namespace paddock::sandbox {
namespace {

constexpr uint64_t kMagic = 0x334e414c50444450;  // "PDDPLAN3"

class Writer {
 public:
  template <class... Part>
  void operator()(const Part&... part) {
    (Put(part), ...);
  }
  std::string bytes;

 private:
  void Number(uint64_t value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void Put(const std::string& text) {
    Number(text.size());
    bytes += text;
  }
  template <class T>
  void Put(const std::vector<T>& list) {
    Number(list.size());
    for (const T& item : list) Put(item);
  }
  template <class T>
  void Put(const T& value) {
    if constexpr (std::is_class_v<T>) Visit(*this, value);
    else Number(static_cast<uint64_t>(value));
  }
};

class Reader {
 public:
  explicit Reader(std::string_view input) : rest(input) {}
  template <class... Part>
  void operator()(Part&... part) {
    (Get(part), ...);
  }
  std::string_view rest;
  bool good = true;

 private:
  uint64_t Number() {
    uint64_t value = 0;
    if (rest.size() < sizeof value) {
      good = false;
      return 0;
    }
    std::memcpy(&value, rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
    return value;
  }
  // Of something that takes at least `least` bytes an item: a size never makes more memory than there are bytes.
  size_t Size(size_t least) {
    const uint64_t size = Number();
    if (size > rest.size() / least) good = false;
    return good ? size : 0;
  }
  void Get(std::string& text) {
    const size_t size = Size(1);
    text.assign(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  template <class T>
  void Get(std::vector<T>& list) {
    list.resize(Size(sizeof(uint64_t)));
    for (T& item : list) Get(item);
  }
  template <class T>
  void Get(T& value) {
    if constexpr (std::is_class_v<T>) Visit(*this, value);
    else value = static_cast<T>(Number());
  }
};

// T is Struct for reading, const Struct for writing.
template <class T, class Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

// The fields of each struct, taken apart so that a new one does not compile before it is in here.
template <class A, Is<MountOp> T>
void Visit(A& archive, T& op) {
  auto& [kind, source, source_device, source_inode, target, recursive, read_only, no_exec, id_mapped, for_copier, device, size, mode,
         only_processes] = op;
  archive(kind, source, source_device, source_inode, target, recursive, read_only, no_exec, id_mapped, for_copier, device, size, mode,
          only_processes);
}

template <class A, Is<NodeOp> T>
void Visit(A& archive, T& node) {
  auto& [kind, path, text, mode] = node;
  archive(kind, path, text, mode);
}

template <class A, Is<PeekRule> T>
void Visit(A& archive, T& peek) {
  auto& [call, argument, address] = peek;
  archive(call, argument, address);
}

template <class A, Is<LandlockRule> T>
void Visit(A& archive, T& rule) {
  auto& [path, access] = rule;
  archive(path, access);
}

template <class A, Is<ResourceLimit> T>
void Visit(A& archive, T& limit) {
  auto& [resource, value] = limit;
  archive(resource, value);
}

template <class A, Is<Plan> T>
void Visit(A& archive, T& plan) {
  auto& [namespaces, network, inner_uid, inner_gid, outer_uid, outer_gid, hostname, own_root, nodes, mounts, loopback,
         new_keyring, drop_capabilities, no_new_privs, landlock, landlock_optional, landlock_tcp, landlock_rules,
         limits, filter, notify, notify_errno, notify_limit, peeks, copier, program, argv, environment,
         working_folder, descriptors, terminal_descriptors, wall_ms, hold, marked_start] = plan;
  archive(namespaces, network, inner_uid, inner_gid, outer_uid, outer_gid, hostname, own_root, nodes, mounts,
          loopback, new_keyring, drop_capabilities, no_new_privs, landlock, landlock_optional, landlock_tcp,
          landlock_rules, limits, filter, notify, notify_errno, notify_limit, peeks, copier, program, argv,
          environment, working_folder, descriptors, terminal_descriptors, wall_ms, hold, marked_start);
}

}  // namespace

std::string EncodePlan(const Plan& plan) {
  Writer writer;
  writer(kMagic, plan);
  return std::move(writer.bytes);
}

Result<Plan> DecodePlan(std::string_view bytes) {
  Reader reader(bytes);
  uint64_t magic = 0;
  reader(magic);
  Plan plan;
  if (magic == kMagic) reader(plan);
  if (magic != kMagic || !reader.good || !reader.rest.empty())
    return Fail(ErrorKind::kProtocol, "not a plan of this version");
  return plan;
}

}  // namespace paddock::sandbox
