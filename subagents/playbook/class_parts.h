// The public, protected and private parts of C++'s classes, by those lines of a file that were seen: how deep a line stands says which
// class it is of, for where a class ends isn't seen.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paddock::subagents {

// RE2 for the lines that begin a class or a part of one.
inline constexpr char kClassParts[] = R"(^\s*(?:template\s*<.*>\s*)?(?:class|struct|union)\s[^;()]*$|^\s*(?:public|private|protected|signals|Q_SIGNALS)(?:\s+\w+)?\s*:(?:[^:]|$))";

// The part that begins in this line: is what stands in it for others? Nothing where none begins.
std::optional<bool> PartBegunIn(std::string_view line);

// Takes the lines of a file in their order.
class ClassParts {
 public:
  explicit ClassParts(std::string path) : path_(std::move(path)) {}
  void Take(std::string_view line);
  // Of the line that was taken last: is it in a part of a class that is not for others, or in a class that is in one?
  bool Hides() const;
  // The class that it is in; "" where it is in none.
  std::string Class() const { return open_.empty() ? "" : open_.back().name; }

 private:
  struct Scope {
    size_t indent;
    std::string name;
    bool hides;
  };
  std::string path_;
  std::vector<Scope> open_;
};

// "Oven" of "int Oven::Heat(int t) {"; "" where none stands before the name.
std::string ClassBefore(std::string_view line, const std::string& name);

}  // namespace paddock::subagents
