#pragma once

#include "call/headers.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace hive::call {

struct UsualAnswer {
    unsigned status;
    std::size_t head_bytes; // where its body begins
    std::size_t body_bytes;
};

// The answer that nearly every server gives nearly every time, at a third of the parser's cost:
// whole, HTTP/1.1 with a length, a body or an empty one, and keep-alive, written without
// peculiarities. Whatever is otherwise in the least gives nothing and is the parser's to judge, so
// that there is one opinion of what is right; the headers are then of no use.
std::optional<UsualAnswer> read_usual_answer(std::string_view bytes, Headers& headers);

} // namespace hive::call
