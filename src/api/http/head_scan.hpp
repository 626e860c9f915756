#pragma once

#include "api/http/limits.hpp"
#include "api/http/refusal.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace hive::http {

// Looks for the end of a request head, byte by byte as it arrives, and refuses what another
// implementation in front of us might read differently: bare CR or LF, folded lines, control
// characters. Beast's parser accepts some of these.
class HeadScan {
public:
    explicit HeadScan(const Limits& limits) : limits_{limits} {}

    // `input` is everything since the start of the head; each call looks only at what is new.
    // The length of the head once it is whole, 0 before.
    std::size_t advance(std::string_view input);

    const std::optional<Refusal>& refusal() const noexcept { return refusal_; }
    bool started() const noexcept { return at_ > 0; }
    void restart() noexcept;

private:
    bool within_limits();
    bool line_ends(std::string_view input);
    bool refuse(unsigned status, std::string_view code, std::string detail);

    const Limits& limits_;
    std::size_t at_ = 0;
    std::size_t line_start_ = 0;
    std::size_t lines_ = 0;
    std::optional<Refusal> refusal_;
};

} // namespace hive::http
