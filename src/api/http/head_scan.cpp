#include "api/http/head_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::http {
namespace {

// Characters that may stand anywhere in a line: printable, tab, and bytes above ASCII.
constexpr auto plain = [] {
    std::array<bool, 256> table{};
    for (unsigned c = 0; c < 256; ++c) table[c] = (c >= 0x20 && c != 0x7f) || c == '\t';
    return table;
}();

} // namespace

void HeadScan::restart() noexcept {
    at_ = line_start_ = lines_ = 0;
    refusal_.reset();
}

bool HeadScan::refuse(unsigned status, std::string_view code, std::string detail) {
    refusal_ = Refusal{status, code, std::move(detail)};
    return false;
}

std::size_t HeadScan::advance(std::string_view input) {
    while (at_ < input.size()) {
        if (at_ == line_start_ && (input[at_] == ' ' || input[at_] == '\t')) {
            refuse(400, "folded-header", "a line starts with white space; folding is obsolete");
            return 0;
        }
        const std::size_t end = std::min(input.size(), limits_.head_bytes);
        while (at_ < end && plain[static_cast<unsigned char>(input[at_])]) ++at_;
        if (!within_limits()) return 0;
        if (at_ == input.size()) return 0;
        if (input[at_] == '\r' && at_ + 1 == input.size()) return 0; // its LF is still to come
        const bool empty = at_ == line_start_;
        if (!line_ends(input)) return 0;
        if (empty) return at_;
    }
    return 0;
}

bool HeadScan::within_limits() {
    // First, so that the answer does not depend on how the bytes come.
    // ` HTTP/1.1` and the longest method leave room for 32 bytes beside the target.
    constexpr std::size_t line_overhead = 32;
    if (lines_ == 0 && at_ > limits_.target_bytes + line_overhead) {
        return refuse(
            414, "target-too-long",
            fmt::format("the request target is over {} bytes", limits_.target_bytes));
    }
    if (at_ >= limits_.head_bytes) {
        return refuse(
            431, "head-too-large",
            fmt::format("the request line and headers are over {} bytes", limits_.head_bytes));
    }
    return true;
}

// At a character that is not plain: it must be the CR of a CR LF.
bool HeadScan::line_ends(std::string_view input) {
    if (input[at_] == '\n') return refuse(400, "bare-lf", "a line ends in LF without CR");
    if (input[at_] != '\r') {
        return refuse(400, "control-character", fmt::format("byte {} is a control character", at_));
    }
    if (input[at_ + 1] != '\n') return refuse(400, "bare-cr", "a CR is not followed by LF");
    const bool empty = at_ == line_start_;
    at_ += 2;
    line_start_ = at_;
    if (empty || ++lines_ <= limits_.headers + 1) return true;
    return refuse(431, "too-many-headers", fmt::format("more than {} headers", limits_.headers));
}

} // namespace hive::http
