// A subagent as another tool's file defines it, read by a definitions cell: plain data of a stranger, which the parent checks again
// before anything is made of it.
//
// Reading only narrows: what such a file asks for beyond looking (commands, writing, the network, servers, hooks, models) is a
// loss, named with its reason, and never half carried over.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"

namespace paddock::subagents {

// The most of one file, of the frontmatter in it, and of what is made of it.
inline constexpr size_t kMaxForeignBytes = 256u << 10, kMaxFrontmatterBytes = 64u << 10, kMaxForeignPrompt = 64u << 10, kMaxForeignPurpose = 1024;
// Of one cell.
inline constexpr size_t kMaxForeignFiles = 256;
inline constexpr size_t kMaxForeignTools = 64, kMaxLosses = 128, kMaxForeignFaults = 16;

enum class DefinitionFormat { kAny, kPaddock, kClaude, kGemini, kOpencode, kCodex };
inline auto EnumNames(FieldsOf<DefinitionFormat>) {
  return std::array{EnumName{DefinitionFormat::kAny, "any"},       EnumName{DefinitionFormat::kPaddock, "paddock"},   EnumName{DefinitionFormat::kClaude, "claude"},
                    EnumName{DefinitionFormat::kGemini, "gemini"}, EnumName{DefinitionFormat::kOpencode, "opencode"}, EnumName{DefinitionFormat::kCodex, "codex"}};
}

// What could not be carried over: a setting that means nothing here; a tool that does more than look; a thing that paddock doesn't
// have; a setting that would make its jail wider, or start something; a word that nobody knows.
enum class LossKind { kSetting, kTool, kMissing, kWider, kUnknown };
inline auto EnumNames(FieldsOf<LossKind>) {
  return std::array{EnumName{LossKind::kSetting, "setting"}, EnumName{LossKind::kTool, "tool"}, EnumName{LossKind::kMissing, "missing"}, EnumName{LossKind::kWider, "wider"},
                    EnumName{LossKind::kUnknown, "unknown"}};
}

struct Loss {
  LossKind kind = LossKind::kSetting;
  std::string what;  // as the file has it
  std::string why;
  int64_t line = 0;
};
inline auto Fields(FieldsOf<Loss>) {
  return std::make_tuple(Required("kind", &Loss::kind, "setting: means nothing here; tool: does more than look; missing: paddock has no such thing; wider: would widen its jail or start something; unknown: a word that nobody knows"),
                         Required("what", &Loss::what, "as the file has it").MaxLength(512), Required("why", &Loss::why, "the reason").MaxLength(512),
                         Required("line", &Loss::line, "of the file").Min(0));
}

// Why the file is no subagent that can be used.
struct DefinitionFault {
  int64_t line = 0;
  std::string message;
};
inline auto Fields(FieldsOf<DefinitionFault>) {
  return std::make_tuple(Required("line", &DefinitionFault::line, "of the file; 0: the file itself").Min(0),
                         Required("message", &DefinitionFault::message, "what is wrong, and what was expected").MaxLength(1024));
}

struct ForeignDefinition {
  DefinitionFormat format = DefinitionFormat::kAny;
  std::string path;  // path text, relative to the workspace of the cell
  std::string text;  // wire text of the whole file; empty where it could not be read
  std::string name, purpose, prompt;
  std::string model;                // asked for
  std::string profile;              // of paddock's own format only
  std::vector<std::string> tools;   // paddock's names
  int64_t turns = 0, seconds = 0;   // asked for; 0: nothing is
  std::vector<Loss> losses;
  std::vector<DefinitionFault> faults;
};
inline auto Fields(FieldsOf<ForeignDefinition>) {
  using F = ForeignDefinition;
  return std::make_tuple(Required("format", &F::format, "whose file it is"), Required("path", &F::path, "path text, relative to the workspace").NonEmpty().MaxLength(16384),
                         Required("text", &F::text, "wire text of the whole file").MaxLength(4 * kMaxForeignBytes), Required("name", &F::name, "empty: none that could be used").MaxLength(64),
                         Required("purpose", &F::purpose, "one line: when to delegate to it").MaxLength(kMaxForeignPurpose),
                         Required("prompt", &F::prompt, "the system prompt").MaxLength(kMaxForeignPrompt + 1), Required("model", &F::model, "asked for").MaxLength(256),
                         Required("profile", &F::profile, "of paddock's own format").MaxLength(64), Required("tools", &F::tools, "paddock's names").MaxLength(kMaxForeignTools),
                         Required("turns", &F::turns, "asked for; 0: nothing is").Min(0).Max(1000), Required("seconds", &F::seconds, "asked for; 0: nothing is").Min(0).Max(86400),
                         Required("losses", &F::losses, "what could not be carried over").MaxLength(kMaxLosses),
                         Required("faults", &F::faults, "why it can't be used").MaxLength(kMaxForeignFaults));
}

// By the folder that it lies in (`.claude/agents/x.md`), else by its ending; kAny: neither says.
DefinitionFormat FormatOfPath(std::string_view path);

// Parent → definitions cell: look there. Answered by `definition` frames and one `looked`.
struct LookFrame {
  std::string path;  // path text of a folder or of one file
  DefinitionFormat format = DefinitionFormat::kAny;
};
inline auto Fields(FieldsOf<LookFrame>) {
  return std::make_tuple(Required("path", &LookFrame::path, "path text of a folder, or of one file").NonEmpty().MaxLength(16384), Required("format", &LookFrame::format, "whose files lie there"));
}

struct LookedFrame {
  int64_t definitions = 0;   // sent before this
  std::string incomplete;    // why not all was looked at, or empty
};
inline auto Fields(FieldsOf<LookedFrame>) {
  return std::make_tuple(Required("definitions", &LookedFrame::definitions, "frames sent before this one").Min(0).Max(kMaxForeignFiles),
                         Required("incomplete", &LookedFrame::incomplete, "why not all was looked at, or empty").MaxLength(512));
}

}  // namespace paddock::subagents
