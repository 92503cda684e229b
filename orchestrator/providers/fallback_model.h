// A chain of language models: each question goes to the first that can be asked, and on to the next where that one failed.
//
//   goes on    its server failed after all attempts (two where another can be asked), is not reachable, has too much to do; its key or
//              quota is refused; no such model
//   does not   a wish to stop, no time left, a question that it won't have, a refusal by the model itself, a conversation that is too
//              long (unless a later one has a larger window)
//
// One that was given up for the next is left alone for a while (breaker.h), by all of this process. In a replayed run the record says
// who was asked: a question that it does not have for a model was not put to that one then.
//
// What a model costs that failed is charged. Every change of who is asked is told, never silent.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "orchestrator/providers/breaker.h"
#include "orchestrator/providers/provider_model.h"

namespace paddock::orchestrator {

struct ModelSwitch {
  std::string from, to, why;
};

struct FallbackSetup {
  struct Member {
    std::string name;  // for people: in config.json
    std::unique_ptr<ProviderModel> model;
    std::shared_ptr<Breaker> breaker;
  };
  std::vector<Member> chain;  // at least one
  std::function<void(const ModelSwitch&)> on_switch = {};
  bool replays = false;
};

class FallbackModel : public agentcore::Model {
 public:
  explicit FallbackModel(FallbackSetup setup);

  // Of the one that was asked for.
  std::string name() const override { return setup_.chain.front().model->name(); }
  bool is_language_model() const override { return true; }
  int64_t max_answer_tokens() const override { return setup_.chain.front().model->max_answer_tokens(); }
  int64_t context_window() const override;  // the smallest
  std::optional<int64_t> CostNanos(int64_t input_tokens, int64_t output_tokens) const override;  // the largest; null where one is unknown
  Result<agentcore::ModelTurn> Next(const agentcore::ModelRequest& request, const Deadline& deadline) override;
  agentcore::ModelUsage TakeLostUsage() override { return std::exchange(lost_, {}); }
  std::vector<std::string> notes() const override;

 private:
  bool MayGoOn(size_t from, const Error& error, const agentcore::ModelRequest& request, const Deadline& deadline) const;
  // One of those after `from` may be asked in its place.
  bool HasAnother(size_t from) const;
  void Turn(size_t to, const std::string& why);

  FallbackSetup setup_;
  std::vector<int> answers_;   // of each
  size_t current_ = 0;         // who was asked last
  agentcore::ModelUsage lost_;
};

}  // namespace paddock::orchestrator
