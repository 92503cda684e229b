// Help texts wrapped between words, to the terminal.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <string>
#include <utility>

#include "orchestrator/cli/help_text.h"

namespace paddock::orchestrator {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(kHelpColumn); }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    return WrapHelp(Formatter::make_help(app, std::move(name), mode), HelpWidth());
  }
};

}  // namespace paddock::orchestrator
