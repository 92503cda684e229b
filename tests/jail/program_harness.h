// Any command in a jail made from a profile's text, on a folder of the test's own; what it wrote, and how it ended.
#pragma once

#include <sys/wait.h>

#include "sandbox/program_plan.h"
#include "sandbox/syscall_filter.h"
#include "tests/jail/jail_harness.h"

namespace paddock::sandbox {

struct Ran {
  std::string out, err, report;
  JailEnd end;
  std::vector<std::string> denied;  // names of the calls
  std::optional<Error> refused;     // no jail was made, for this reason
};

class ProgramTest : public JailTest {
 protected:
  // A profile that extends `base`, with what is given besides.
  static std::string ProfileText(const std::string& rest) {
    return R"({"schema": "paddock/profile/1", "name": "test", "extends": "base", )" + rest + "}";
  }
  static std::string Building(const std::string& more = "") {
    return ProfileText(R"("filesystem": {"root": "minimal", "workspace": "overlay", "workspace_size": "256M", "tmp": "64M", "proc": "full"}, "exec": "any",
      "syscalls": {"allow": ["@build"], "report": true}, "network": {"mode": "none", "loopback": true},
      "limits": {"wall": "60s", "memory": "2G", "processes": 256, "files": 512, "file_size": "200M"},
      "env": {"set": {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}})" + more);
  }

  Ran Run(const std::string& profile_text, std::vector<std::string> argv, const std::string& input = "") {
    Ran ran;
    auto profile = ParseProfile(profile_text, "test.json");
    if (!profile) return ran.refused = profile.error(), ran;
    profile_ = *profile;
    request_.profile = &profile_;
    request_.workspace = &workspace_;
    request_.argv = std::move(argv);
    request_.programs_folder = BinFolder();
    auto built = BuildProgramPlan(request_, ThisCaller());
    if (!built) return ran.refused = built.error(), ran;
    std::vector<UniqueFd> passed;
    UniqueFd in = Input(input);
    Pipe out = *MakePipe(), err = *MakePipe(), report = *MakePipe();
    passed.push_back(std::move(in));
    passed.push_back(std::move(out.write));
    passed.push_back(std::move(err.write));
    if (!built->plan.copier.empty()) passed.push_back(std::move(report.write));
    else report.write.reset();
    auto jail = launcher().StartJail(built->plan, std::move(passed), Soon());
    if (!jail) return ran.refused = jail.error(), ran;
    if (auto started = jail->WaitStarted(Soon()); !started) return ran.refused = started.error(), ran;
    auto baseline = ReadBaseline();
    auto receipt = ReadReceipt(jail->payload_pid(), jail->payload_pidfd(), profile_, *built, *baseline,
                               {{Layer::kLandlock, jail->landlock_witness()}, {Layer::kSeccomp, jail->seccomp_witness()}}, true);
    if (!receipt) return ran.refused = receipt.error(), ran;
    if (auto ok = CheckReceipt(*receipt); !ok) return ran.refused = ok.error(), ran;
    EXPECT_TRUE(jail->Go());
    ReadAll({{out.read.get(), &ran.out}, {err.read.get(), &ran.err}, {report.read.get(), &ran.report}}, &*jail, &ran);
    EndedByPidfd(jail->end_fd(), Soon());
    ran.end = jail->Stop();
    for (const Violation& one : jail->TakeViolations()) ran.denied.push_back(SystemCallName(one.number));
    return ran;
  }

  ProgramRequest request_;

 private:
  struct Stream {
    int fd;
    std::string* to;
  };
  static UniqueFd Input(const std::string& text) {
    UniqueFd file = *SealedMemfd("input", text);
    lseek(file.get(), 0, SEEK_SET);
    return file;
  }
  // Until all are closed. Reports of denials are taken in meanwhile.
  static void ReadAll(std::vector<Stream> streams, Jail* jail, Ran* ran) {
    const Deadline deadline = Deadline::After(std::chrono::seconds(100));
    while (!streams.empty() && !deadline.passed()) {
      std::vector<pollfd> wait;
      for (const Stream& stream : streams) wait.push_back({stream.fd, POLLIN, 0});
      wait.push_back({jail->news_fd(), POLLIN, 0});
      poll(wait.data(), wait.size(), deadline.poll_ms());
      jail->ReadNews();
      for (const Violation& one : jail->TakeViolations()) ran->denied.push_back(SystemCallName(one.number));
      for (size_t i = streams.size(); i-- > 0;) {
        if (!wait[i].revents) continue;
        char chunk[65536];
        const ssize_t n = read(streams[i].fd, chunk, sizeof chunk);
        if (n > 0) streams[i].to->append(chunk, static_cast<size_t>(n));
        else if (n == 0) streams.erase(streams.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    EXPECT_TRUE(streams.empty()) << "the jail did not end in time";
  }
};

}  // namespace paddock::sandbox
