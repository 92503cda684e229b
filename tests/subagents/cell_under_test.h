// A cell's RunCell in a thread of the test, seen from the parent's side of its pipes.
#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <optional>
#include <string>
#include <thread>

#include "base/frame_pipe.h"
#include "subagents/cell/cell.h"

namespace paddock::subagents {

class CellUnderTest {
 public:
  explicit CellUnderTest(CellOptions options) {
    ::signal(SIGPIPE, SIG_IGN);
    to_ = *MakePipe();
    from_ = *MakePipe();
    reader_.emplace(from_.read.get(), kMaxFrameBytes);
    options.in_fd = to_.read.get();
    options.out_fd = from_.write.get();
    thread_ = std::thread([this, options] {
      exit_code_ = RunCell(options);
      from_.write.reset();
      to_.read.reset();
    });
  }
  ~CellUnderTest() {
    if (thread_.joinable()) Exit();
  }

  template <class Frame>
  void Say(const char* type, const Frame& frame) {
    SayLine(EncodeFrame(type, frame));
  }
  void SayLine(std::string_view line) { EXPECT_TRUE(WriteFrame(to_.write.get(), line, Soon())); }
  void Start(const TaskFrame& task) {
    Say("go", GoFrame{});
    Say("task", task);
  }

  // The next frame that is no event; events are counted.
  RawFrame Hear() {
    for (;;) {
      auto line = reader_->Next(Soon());
      if (!line) {
        ADD_FAILURE() << line.error().message;
        return {};
      }
      EXPECT_LE(line->size(), kMaxFrameBytes);
      auto raw = DecodeFrame(*line);
      if (!raw) {
        ADD_FAILURE() << raw.error().message;
        return {};
      }
      if (raw->type != "event") return *std::move(raw);
      EXPECT_LE(line->size(), kMaxEventBytes);
      auto event = FromJson<EventFrame>(raw->body);
      EXPECT_TRUE(event);
      if (event) events.push_back(*event);
    }
  }
  template <class Frame>
  Frame Hear(const char* type) {
    RawFrame raw = Hear();
    EXPECT_EQ(raw.type, type) << DumpJson(raw.body);
    auto frame = FromJson<Frame>(raw.body);
    EXPECT_TRUE(frame) << frame.error().message;
    return frame ? *frame : Frame{};
  }
  // Closes the parent's end and waits for the cell.
  int Exit() {
    to_.write.reset();
    return Wait();
  }
  // Waits for a cell that ends by itself.
  int Wait() {
    thread_.join();
    return exit_code_;
  }
  void StopReading() {
    reader_.reset();
    from_.read.reset();
  }

  std::vector<EventFrame> events;

 private:
  static Deadline Soon() { return Deadline::After(std::chrono::seconds(20)); }

  Pipe to_, from_;
  std::optional<FrameReader> reader_;
  std::thread thread_;
  int exit_code_ = -1;
};

}  // namespace paddock::subagents
