#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <string>
#include <utility>

namespace hive::colony {

// Why an act was refused, for people and for programs: `code` is a stable word, `more` what helps
// to do better, such as the moves that are allowed.
struct Refusal {
    Errc kind = Errc::invalid;
    std::string code;
    std::string detail;
    json::object more{};

    bool operator==(const Refusal&) const = default;
};

template <class T>
using Outcome = tl::expected<T, Refusal>;

inline auto refuse(Refusal refusal) {
    return tl::unexpected<Refusal>(std::move(refusal));
}
inline auto refuse(Errc kind, std::string code, std::string detail, json::object more = {}) {
    return refuse(Refusal{kind, std::move(code), std::move(detail), std::move(more)});
}
// A failure of the store below, or of reading a value: it has no code of its own.
inline auto refuse(Error error) {
    return refuse(Refusal{error.code, {}, std::move(error.detail)});
}

} // namespace hive::colony
