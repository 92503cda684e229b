// Where an agent's work stands. Every turn goes plan → act → observe; reflect and finish come from anywhere.
//
//              ┌──────────────────────────────┐
//              ▼                              │
//   start ─ plan ── calls ──▶ act ──▶ observe ─┘
//             │ ▲                       │
//             │ └──── in words ─── reflect   (no progress: say what will change)
//             ▼                       │
//           finish ◀──────────────────┘      (the report is wanted; a limit; no progress again; an end)
#pragma once

#include <array>

#include "base/fields.h"

namespace paddock::agentcore {

enum class Phase {
  kPlan,     // the model is asked what to do
  kAct,      // its calls are run
  kObserve,  // their results are taken
  kReflect,  // the model is told that it makes no progress, and asked what it will change
  kFinish,   // only the report is on offer, or the conversation is over
};
inline auto EnumNames(FieldsOf<Phase>) {
  return std::array{EnumName{Phase::kPlan, "plan"}, EnumName{Phase::kAct, "act"}, EnumName{Phase::kObserve, "observe"},
                    EnumName{Phase::kReflect, "reflect"}, EnumName{Phase::kFinish, "finish"}};
}

// May an agent go from one to the other?
constexpr bool MayFollow(Phase from, Phase to) {
  switch (to) {
    case Phase::kPlan: return from != Phase::kAct && from != Phase::kFinish;
    case Phase::kAct: return from == Phase::kPlan;
    case Phase::kObserve: return from == Phase::kAct;
    case Phase::kReflect: return from == Phase::kObserve || from == Phase::kPlan;
    case Phase::kFinish: return true;
  }
  return false;
}

}  // namespace paddock::agentcore
