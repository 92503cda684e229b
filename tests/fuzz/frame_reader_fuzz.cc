// A stream of frames over a socket, cut at any places: the same frames and the same end as in one piece, within the bound.
//
// Two bytes: the largest frame; one: how the stream is cut; then the stream.
#include <sys/socket.h>
#include <unistd.h>

#include <vector>

#include "base/frame_pipe.h"
#include "tests/fuzz/fuzz.h"

using namespace paddock;

namespace {

struct Taken {
  std::vector<std::string> frames;
  ErrorKind end = ErrorKind::kInternal;
};

void TakeAll(FrameReader* reader, Taken* taken) {
  while (auto frame = reader->Pop()) taken->frames.push_back(*std::move(frame));
}

// Written in pieces of `step` bytes (0: one piece), each read at once.
Taken Read(std::string_view stream, size_t step, size_t max_frame, FramePool* pool) {
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0, "socketpair");
  UniqueFd write_end(ends[0]), read_end(ends[1]);
  Taken taken;
  {
    FrameReader reader(read_end.get(), max_frame, pool);
    auto filled = Status{};
    while (!stream.empty() && filled) {
      const size_t size = step ? std::min(step, stream.size()) : stream.size();
      REQUIRE(write(write_end.get(), stream.data(), size) == static_cast<ssize_t>(size), "write");
      stream.remove_prefix(size);
      filled = reader.Fill();
      TakeAll(&reader, &taken);
    }
    write_end.reset();
    for (int i = 0; filled; ++i) {
      REQUIRE(i < 100'000, "the reader never says that the stream is over");
      filled = reader.Fill();
      TakeAll(&reader, &taken);
    }
    TakeAll(&reader, &taken);
    taken.end = filled.error().kind;
    // What it said, it says again: nothing is to be had after an end.
    const auto next = reader.Next(Deadline::After({}));
    REQUIRE(!next && next.error().kind == taken.end, "another end the second time");
    if (pool) REQUIRE(pool->taken() <= 1, std::to_string(pool->taken()));
  }
  if (pool) REQUIRE(pool->taken() == 0 && !pool->wanted(), "the pool did not get everything back");
  return taken;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input input(data, size);
  const size_t max_frame = input.Number(1, 4096), step = 1 + input.Byte();
  const std::string stream = input.Rest().substr(0, 60'000);  // less than a socket takes

  std::vector<std::string> expected;
  ErrorKind end = ErrorKind::kClosed;
  for (size_t begin = 0; begin < stream.size();) {
    const size_t newline = stream.find('\n', begin);
    const size_t length = std::min(newline, stream.size()) - begin;
    if (length > max_frame) {
      end = ErrorKind::kLimit;
      break;
    }
    if (newline == stream.npos) break;
    if (length > 0) expected.push_back(stream.substr(begin, length));
    begin = newline + 1;
  }

  FramePool pool(1);
  for (size_t pieces : {size_t{0}, step, size_t{1}}) {
    if (pieces == 1 && stream.size() > 500) continue;
    const Taken taken = Read(stream, pieces, max_frame, pieces == step ? &pool : nullptr);
    REQUIRE(taken.end == end, "in pieces of " + std::to_string(pieces) + ", at most " + std::to_string(max_frame));
    REQUIRE(taken.frames == expected, "in pieces of " + std::to_string(pieces));
  }
  return 0;
}
