#include "orchestrator/report/doctor_report.h"

#include <algorithm>

#include "base/text.h"

namespace paddock::orchestrator {
namespace {

using sandbox::machine::Finding;
using sandbox::machine::Outcome;

constexpr size_t kMarkWidth = 8, kNameWidth = 26;

std::string Padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text + " ";
}

std::string Joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

class Writer {
 public:
  explicit Writer(const TextStyle& style) : style_(style), width_(std::max<size_t>(style.width, 60)) {}

  std::string Write(const DoctorReport& report) {
    Wrapped("", "Linux " + report.kernel + ", uid " + std::to_string(report.uid) + ", looking at " + report.repository);
    out_ += "\nSteps, each tried for itself:\n";
    for (const Finding& finding : report.steps) Step(finding);
    out_ += "\nProfiles, each with a jail:\n";
    for (const ProfileVerdict& profile : report.profiles) OneProfile(profile);
    Row(report.record.works ? "works" : "refused", report.record.works ? kGood : kBad, "record of a run",
        report.record.works ? report.record.folder : report.record.detail);
    if (report.mends.empty()) {
      out_ += report.works ? "\nEvery profile works here.\n" : "\nNo mend is known.\n";
      return std::move(out_);
    }
    out_ += "\nTo mend it:\n";
    for (size_t i = 0; i < report.mends.size(); ++i) Wrapped("  " + std::to_string(i + 1) + ". ", report.mends[i]);
    return std::move(out_);
  }

 private:
  static constexpr const char* kGood = "\x1b[32m";
  static constexpr const char* kFair = "\x1b[33m";
  static constexpr const char* kBad = "\x1b[31m";
  static constexpr const char* kDull = "";

  void Step(const Finding& finding) {
    std::string what = finding.seen;
    if (finding.outcome == Outcome::kUntried) {
      what = finding.seen;
    } else if (finding.outcome != Outcome::kOk) {
      std::string got = finding.error.empty() ? "" : finding.error + " from " + finding.tried;
      what = got + (got.empty() || what.empty() ? "" : ": ") + what;
      // No profile is refused for what is there in part, so nothing else says how to have all of it.
      if (finding.outcome == Outcome::kPartial && !finding.mend.empty()) what += ". " + finding.mend;
    } else if (what.empty()) {
      what = finding.tried;
    }
    const char* color = finding.outcome == Outcome::kOk ? kGood : finding.outcome == Outcome::kMissing ? kBad : finding.outcome == Outcome::kPartial ? kFair : kDull;
    Row(finding.outcome == Outcome::kUntried ? "-" : NameOf(finding.outcome), color, NameOf(finding.step), what);
  }

  void OneProfile(const ProfileVerdict& profile) {
    std::string what = std::to_string(profile.in_force) + " of " + std::to_string(profile.required) + " required layers in force";
    if (profile.verdict == Verdict::kAbstract) what = "only for other profiles to extend";
    if (profile.verdict == Verdict::kRefused) {
      std::vector<std::string> layers;
      for (sandbox::Layer layer : profile.refused_by) layers.push_back(NameOf(layer));
      what = (layers.empty() ? "" : "by " + Joined(layers, ", ") + ": ") + profile.detail;
    }
    Row(profile.verdict == Verdict::kAbstract ? "-" : NameOf(profile.verdict),
        profile.verdict == Verdict::kWorks ? kGood : profile.verdict == Verdict::kRefused ? kBad : kDull, profile.profile, what);
  }

  void Row(const std::string& mark, const char* color, const std::string& name, const std::string& what) {
    const std::string begin = "  " + Padded(mark, kMarkWidth) + Padded(name, kNameWidth);
    const size_t at = out_.size() + 2;
    Wrapped(begin, what);
    if (!style_.color || !*color) return;
    out_.insert(at + mark.size(), "\x1b[0m");
    out_.insert(at, color);
  }

  // Words after `begin`; further lines begin below the first word.
  void Wrapped(const std::string& begin, const std::string& text) {
    const std::string shown = VisibleText(text, Newlines::kEscape), indent(begin.size(), ' ');
    std::string line = begin;
    bool has_word = false;
    auto flush = [&] {
      line.erase(line.find_last_not_of(' ') + 1);
      out_ += line + "\n";
      line = indent;
      has_word = false;
    };
    for (size_t at = 0; at < shown.size();) {
      size_t end = std::min(shown.find(' ', at), shown.size());
      std::string word = shown.substr(at, end - at);
      at = end + 1;
      if (has_word && line.size() + 1 + word.size() > width_) flush();
      while (line.size() + word.size() > width_ && !has_word) {  // a path that is longer than a line
        const auto part = std::string(TruncateUtf8(word, width_ - line.size()));
        if (part.empty()) break;
        line += part;
        word.erase(0, part.size());
        flush();
      }
      line += (has_word ? " " : "") + word;
      has_word = true;
    }
    flush();
  }

  const TextStyle& style_;
  size_t width_;
  std::string out_;
};

}  // namespace

void Conclude(DoctorReport* report) {
  report->works = report->record.works;
  report->mends.clear();
  auto add = [&](const std::string& mend) {
    if (!mend.empty() && std::find(report->mends.begin(), report->mends.end(), mend) == report->mends.end()) report->mends.push_back(mend);
  };
  for (const ProfileVerdict& profile : report->profiles) {
    if (profile.verdict != Verdict::kRefused) continue;
    report->works = false;
    for (const Finding& finding : report->steps)
      if (std::find(profile.missing.begin(), profile.missing.end(), finding.step) != profile.missing.end()) add(finding.mend);
    add(profile.mend);
  }
  add(report->record.mend);
}

std::string DoctorText(const DoctorReport& report, const TextStyle& style) { return Writer(style).Write(report); }

}  // namespace paddock::orchestrator
