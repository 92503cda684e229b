#include "subagents/playbook/import_text.h"

namespace paddock::subagents::imports {

re2::StringPiece Piece(std::string_view text) { return {text.data(), text.size()}; }

std::string_view TrimItem(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == ',' || text.back() == ';')) text.remove_suffix(1);
  return text;
}

bool Indented(std::string_view line) { return line.starts_with(' ') || line.starts_with('\t'); }

std::optional<std::string> Joined(std::string_view folder, std::string_view name) {
  std::vector<std::string> parts;
  auto add = [&](std::string_view text) {
    while (!text.empty()) {
      size_t slash = text.find('/');
      std::string_view part = text.substr(0, slash);
      text = slash == std::string_view::npos ? std::string_view() : text.substr(slash + 1);
      if (part.empty() || part == ".") continue;
      if (part != "..") parts.emplace_back(part);
      else if (parts.empty()) return false;
      else parts.pop_back();
    }
    return true;
  };
  if (!add(folder) || !add(name)) return std::nullopt;
  std::string out;
  for (const auto& part : parts) out += (out.empty() ? "" : "/") + part;
  return out;
}

std::string InFolder(std::string_view folder, std::string_view name) { return folder.empty() ? std::string(name) : std::string(folder) + "/" + std::string(name); }

std::vector<std::string_view> Split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> out;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i + separator.size() <= text.size(); ++i) {
    depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    if (depth == 0 && text.substr(i, separator.size()) == separator) {
      out.push_back(text.substr(start, i - start));
      start = i + separator.size();
      i = start - 1;
    }
  }
  out.push_back(text.substr(std::min(start, text.size())));
  return out;
}

}  // namespace paddock::subagents::imports
