#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orchestrator/providers/sse.h"

namespace paddock::orchestrator {
namespace {

using Data = std::vector<std::string>;

Data Read(std::string_view stream, size_t piece = 1u << 20, bool finish = true) {
  SseReader reader;
  for (size_t i = 0; i < stream.size(); i += piece) EXPECT_TRUE(reader.Feed(stream.substr(i, piece)));
  if (finish) reader.Finish();
  Data out;
  while (auto event = reader.Pop()) out.push_back(event->event.empty() ? event->data : event->event + "|" + event->data);
  return out;
}

TEST(Sse, WhatServersSend) {
  EXPECT_EQ(Read("data: a\n\ndata: b\n\n"), (Data{"a", "b"}));
  EXPECT_EQ(Read("data: a\r\n\r\ndata: b\r\r"), (Data{"a", "b"}));
  EXPECT_EQ(Read("\xEF\xBB\xBF" "data:a\n\n: keep-alive\n\n:\n\ndata:  b\n\n"), (Data{"a", " b"}));
  EXPECT_EQ(Read("data: a\ndata\ndata: b\n\n"), (Data{"a\n\nb"}));
  EXPECT_EQ(Read("event: error\nid: 7\nretry: 1\nwhat: x\ndata: {}\n\n"), (Data{"error|{}"}));
  EXPECT_EQ(Read("event: ping\n\ndata: a\n\n"), (Data{"a"}));
  EXPECT_EQ(Read(""), Data{});
}

TEST(Sse, TheLastEventNeedsNoEmptyLine) {
  EXPECT_EQ(Read("data: [DONE]"), (Data{"[DONE]"}));
  EXPECT_EQ(Read("data: [DONE]\n"), (Data{"[DONE]"}));
  EXPECT_EQ(Read("data: [DONE]\n", 100, false), Data{});
}

TEST(Sse, CutAnywhereItReadsTheSame) {
  const std::string stream = "data: \xF0\x9F\x90\xA6 one\r\n\r\nevent: x\ndata: 1\ndata: 2\n\n: c\r\rdata: end\n\n";
  const Data whole = Read(stream);
  ASSERT_EQ(whole.size(), 3u);
  for (size_t piece = 1; piece <= stream.size(); ++piece) EXPECT_EQ(Read(stream, piece), whole) << piece;
}

TEST(Sse, AnEventThatGrowsForEverIsRefused) {
  for (const char* line : {"data: xxxxxxxxx", "data: xxxxxxxxx\n", ": xxxxxxxxxxxx"}) {
    SseReader reader(1000);
    Status fed;
    for (int i = 0; i < 1000 && fed; ++i) fed = reader.Feed(line);
    EXPECT_FALSE(fed) << line;
  }
  // Comments that end are no event: they may go on for ever.
  SseReader reader(1000);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(reader.Feed(": keep-alive\n\n"));
}

}  // namespace
}  // namespace paddock::orchestrator
