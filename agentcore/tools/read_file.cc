// read_file: lines of one text file. Its facts are described in read_only_tools.h.
#include "agentcore/tools/line_reader.h"
#include "agentcore/tools/oddities.h"
#include "agentcore/tools/path_tool.h"
#include "agentcore/tools/read_only_tools.h"
#include "base/text.h"

namespace paddock::agentcore {
namespace {

struct ReadFileArguments {
  std::string path;
  int64_t offset = 1;
  int64_t limit = 400;
};
auto Fields(FieldsOf<ReadFileArguments>) {
  using A = ReadFileArguments;
  return std::make_tuple(Required("path", &A::path, "file, relative to the workspace, as list_files prints it").NonEmpty().MaxLength(32768),
                         Optional("offset", &A::offset, "number of the first line wanted, from 1").Min(1).Max(1'000'000'000),
                         Optional("limit", &A::limit, "lines wanted").Min(1).Max(2000));
}

// What one pass over the file gathers.
struct Pass {
  int64_t lines = 0;       // complete ones seen
  int64_t lf = 0, crlf = 0;
  bool last_has_newline = false;
  bool out_of_room = false;  // max_output_bytes
  Artifact excerpt;

  const char* endings() const { return lf && crlf ? "mixed" : crlf ? "crlf" : lf ? "lf" : "none"; }
};

using ReadFileRequest = PathRequest<ReadFileArguments>;

class ReadFile : public PathTool<ReadFileRequest> {
 public:
  ReadFile()
      : PathTool(ToolSpecOf<ReadFileArguments>(
            "read_file",
            "read lines of one text file, with their numbers, its number of lines, encoding and line endings. The result says where to go on (next_offset).",
            "folders (use list_files), finding a text in many files (use search_text), binary files.",
            Json{{"path", "src/main.c"}, {"offset", 1}, {"limit", 200}})) {}

  ToolOutcome<ToolResult> Look(const ReadFileRequest& request, const ToolContext& context) const override {
    const auto& [asked, path] = request;
    const TextFile text = TRY(OpenTextFile(context.root_fd, path));
    if (text.content.binary) return std::unexpected(BinaryFileError(path, text));
    LineReader reader(text.file.fd.get(), text.content.encoding, context.deadline);
    Pass pass = Scan(asked, text.content.encoding, context.max_output_bytes, &reader);
    pass.excerpt.path = PathToText(path);
    Oddities odd;
    if (ChangedNs(text.file.fd.get()) != text.file.changed_ns) odd.Add(OddKind::kChanged, path);
    if (pass.excerpt.lines.empty()) {
      if (auto failure = NoLines(asked, path, pass, reader.stop())) return *std::move(failure);
    }
    return Assemble(asked, path, text, reader, odd, std::move(pass));
  }

 private:
  static Pass Scan(const ReadFileArguments& arguments, TextEncoding encoding, size_t max_bytes, LineReader* reader) {
    Pass pass;
    pass.excerpt.kind = "excerpt";
    pass.excerpt.line_start = arguments.offset;
    size_t bytes = 0;
    LineReader::Line line;
    // Kept of a line: enough for kMaxLineBytes once decoded (UTF-16 may shrink to half).
    const size_t keep = 2 * kMaxLineBytes + 8;
    for (;;) {
      const int64_t number = pass.lines + 1;
      const bool wanted = number >= arguments.offset && number - arguments.offset < arguments.limit && !pass.out_of_room;
      if (!reader->Next(wanted ? keep : 0, &line)) {
        // A line whose end is out of reach is given as far as it goes.
        if (wanted && !line.raw.empty() && pass.excerpt.lines.empty()) Keep(line, encoding, number, max_bytes, &bytes, &pass);
        return pass;
      }
      ++pass.lines;
      pass.last_has_newline = line.newline;
      if (line.newline) ++(line.crlf ? pass.crlf : pass.lf);
      if (wanted) Keep(line, encoding, number, max_bytes, &bytes, &pass);
    }
  }

  static void Keep(const LineReader::Line& line, TextEncoding encoding, int64_t number, size_t max_bytes, size_t* bytes, Pass* pass) {
    std::string shown = ShownLine(line.raw, encoding, number == 1);
    const bool cut = shown.size() > kMaxLineBytes || line.raw.size() < line.size;
    if (cut) shown = std::string(TruncateUtf8(shown, kMaxLineBytes));
    std::string wire = WireFromBytes(shown);
    pass->out_of_room = *bytes + wire.size() > max_bytes && !pass->excerpt.lines.empty();
    if (pass->out_of_room) return;
    *bytes += wire.size() + 1;
    pass->excerpt.lines.push_back(std::move(wire));
    if (cut) pass->excerpt.cut.push_back(number);
  }

  // Why there are none; nullopt when the file is empty and its start was asked for, which is no failure.
  static std::optional<ToolResult> NoLines(const ReadFileArguments& arguments, const std::string& path, const Pass& pass, LineReader::Stop stop) {
    const std::string lines = std::to_string(pass.lines) + (pass.lines == 1 ? " line" : " lines");
    const std::string start = CallText("read_file", Json{{"path", arguments.path}, {"offset", 1}});
    switch (stop) {
      case LineReader::Stop::kEnd:
        if (arguments.offset == 1) return std::nullopt;
        return ToolFailure(ToolStatus::kNotFound, QuotedPath(path) + " has " + lines + "; there is no line " + std::to_string(arguments.offset),
                           "use an offset from 1 to " + std::to_string(std::max<int64_t>(pass.lines, 1)), {start});
      case LineReader::Stop::kScanLimit:
        return ToolFailure(ToolStatus::kUnsupported,
                           QuotedPath(path) + ": line " + std::to_string(arguments.offset) + " lies beyond the first " +
                               std::to_string(kMaxScanBytes) + " bytes, which is as far as lines are counted; " + lines + " were seen",
                           "read an earlier part of the file", {start});
      case LineReader::Stop::kDeadline: {
        auto result = ToolFailure(ToolStatus::kTimeout, QuotedPath(path) + ": the deadline passed after " + lines, "ask for an earlier part of the file",
                                  {start});
        result.retryable = true;
        return result;
      }
      default:
        return ToolFailure(ToolStatus::kFailed, QuotedPath(path) + ": a read failed after " + lines,
                           "go on without this file and say that it could not be read", {CallText("list_files", Json{{"path", "."}, {"depth", 1}})});
    }
  }

  static ToolResult Assemble(const ReadFileArguments& arguments, const std::string& path, const TextFile& text, const LineReader& reader, const Oddities& odd, Pass pass) {
    const bool whole = reader.stop() == LineReader::Stop::kEnd;
    const int64_t given = std::ssize(pass.excerpt.lines);
    const int64_t last = arguments.offset + given - 1;
    const bool more = whole ? last < pass.lines : true;
    const bool reachable = more && (reader.stop() != LineReader::Stop::kScanLimit || last < pass.lines);
    TextEncoding encoding = text.content.encoding;
    const bool still_utf8 = (encoding != TextEncoding::kUtf8 && encoding != TextEncoding::kUtf8Bom) || !whole || reader.all_utf8();

    Json& facts = pass.excerpt.facts;
    facts["size"] = text.file.size;
    facts["total_lines"] = whole ? Json(pass.lines) : Json(nullptr);
    facts["next_offset"] = reachable ? Json(last + 1) : Json(nullptr);
    facts["truncated"] = more;
    facts["trailing_newline"] = whole ? Json(pass.last_has_newline) : Json(nullptr);
    facts["encoding"] = still_utf8 ? EncodingName(encoding) : EncodingName(TextEncoding::kUnknown8Bit);
    facts["converted"] = IsUtf16(encoding);
    facts["line_endings"] = pass.endings();
    if (!odd.list().empty()) facts["odd"] = odd.ToFacts();

    ToolResult result;
    result.success = true;
    const bool broke_off = reader.stop() == LineReader::Stop::kDeadline || reader.stop() == LineReader::Stop::kReadError;
    result.status = broke_off || pass.out_of_room ? ToolStatus::kPartial : ToolStatus::kOk;
    result.summary = given == 0 ? QuotedPath(path) + " is empty"
                                : QuotedPath(path) + " lines " + std::to_string(arguments.offset) + "-" + std::to_string(last) +
                                      (whole ? " of " + std::to_string(pass.lines) : std::string(" (the lines were not counted to the end)"));
    result.output = result.summary + ".";
    if (!pass.excerpt.cut.empty()) result.output += "\n" + std::to_string(pass.excerpt.cut.size()) + " long lines are cut after " + std::to_string(kMaxLineBytes) + " bytes.";
    if (!still_utf8 || encoding != TextEncoding::kUtf8) result.output += "\nEncoding: " + facts["encoding"].get<std::string>() + (IsUtf16(encoding) ? ", shown as UTF-8." : ".");
    if (whole && given > 0 && last == pass.lines && !pass.last_has_newline) result.output += "\nThe last line has no newline.";
    if (broke_off) {
      result.output += "\nNot complete: the deadline passed, or a read failed, before the end of the file.";
      result.recovery_hint = "what is given is right; ask for fewer lines at a time";
    }
    if (pass.out_of_room) {
      result.output += "\nCut by the size of one result.";
      result.recovery_hint = "go on at next_offset";
    }
    if (more && !reachable) result.output += "\nThe file goes on beyond the first " + std::to_string(kMaxScanBytes) + " bytes, which is as far as lines are counted.";
    result.output += odd.Sentences();
    if (reachable) result.next_actions.push_back("for more: " + CallText("read_file", Json{{"path", arguments.path}, {"offset", last + 1}, {"limit", arguments.limit}}));
    result.artifacts.push_back(std::move(pass.excerpt));
    return result;
  }
};

}  // namespace

std::unique_ptr<Tool> MakeReadFile() { return std::make_unique<ReadFile>(); }

}  // namespace paddock::agentcore
