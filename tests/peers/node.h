// A script of this folder, run by the node that the programs from npm have.
#pragma once

#include <gtest/gtest.h>
#include <stdio.h>

#include <filesystem>
#include <string>
#include <vector>

namespace paddock::peers {

inline std::string PeersFolder() { return std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() / "peers"; }

// What it prints. Words must hold no quotes.
inline std::string Node(const std::string& script, const std::vector<std::string>& words) {
  const std::string folder = PeersFolder();
  std::string command = "cd '" + folder + "' && PATH=\"$PWD/node_modules/.bin:$PATH\" node '" + folder + "/" + script + "'";
  for (const std::string& word : words) command += " '" + word + "'";
  FILE* pipe = popen(command.c_str(), "re");
  std::string out;
  char chunk[4096];
  for (size_t n; pipe && (n = fread(chunk, 1, sizeof chunk, pipe)) > 0;) out.append(chunk, n);
  EXPECT_EQ(pipe ? pclose(pipe) : -1, 0) << command;
  return out;
}

}  // namespace paddock::peers
