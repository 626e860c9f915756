#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "wire/envelope.hpp"

#include <string>
#include <string_view>

namespace hive::wire {

// The JSON document of docs/spec/control-events.schema.json: every field of the envelope, also
// those that are null.
std::string encode(const Envelope& envelope);

// What violates the schema or a rule of check() is refused. The error lists every violation with
// its path, joined by "; ", up to a bound, e.g.
// `data.ioState.work.input: 'fine' is not one of ok, out-of-data, ...`.
Result<Envelope> decode_envelope(std::string_view text, JsonLimits limits = {});

} // namespace hive::wire
