#pragma once

#include "call/call.hpp"
#include "wire/work_item.hpp"
#include "worker/result_rules.hpp"

namespace hive::bees {

// What an answer meant, by the rules of its call. A call without an answer is not judged: it has
// failed anyway.
worker::Judgement judge(const worker::ResultJudge& rules, const call::Done& done);

void append_headers(wire::Step& step, const worker::Judgement& judgement);

} // namespace hive::bees
