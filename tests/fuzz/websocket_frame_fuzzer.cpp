// Frames of a hostile client, cut anywhere: the same messages come out, text is UTF-8, nothing is
// larger than allowed, and nothing follows a close or a violation.
#include "api/ws/message_reader.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace hive::ws;

constexpr std::size_t message_max = 300;

void demand(bool holds) {
    if (!holds) std::abort();
}

std::string describe(const Incoming& incoming) {
    if (const auto* text = std::get_if<TextMessage>(&incoming)) {
        demand(is_utf8(text->text) && text->text.size() <= message_max);
        return "text " + std::string{text->text};
    }
    if (const auto* binary = std::get_if<BinaryMessage>(&incoming)) {
        demand(binary->bytes.size() <= message_max);
        return "binary " + std::string{binary->bytes};
    }
    if (const auto* ping = std::get_if<Ping>(&incoming)) {
        demand(ping->payload.size() <= 125);
        return "ping " + std::string{ping->payload};
    }
    if (const auto* pong = std::get_if<Pong>(&incoming))
        return "pong " + std::string{pong->payload};
    if (const auto* closing = std::get_if<Closing>(&incoming)) {
        demand(is_utf8(closing->reason));
        return "close " + std::to_string(static_cast<int>(closing->code));
    }
    return "violation " + std::to_string(static_cast<int>(std::get<Violation>(incoming).code));
}

std::vector<std::string> read_all(std::string_view input, std::size_t step) {
    MessageReader reader{message_max};
    std::vector<std::string> seen;
    bool over = false;
    for (std::size_t at = 0; at < input.size(); at += step) {
        reader.input() += input.substr(at, step);
        for (;;) {
            const Incoming incoming = reader.next();
            if (std::holds_alternative<NeedMore>(incoming)) break;
            demand(!over);
            seen.push_back(describe(incoming));
            over = std::holds_alternative<Closing>(incoming) ||
                   std::holds_alternative<Violation>(incoming);
        }
    }
    return seen;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input{reinterpret_cast<const char*>(data), size};
    const auto whole = read_all(input, size == 0 ? 1 : size);
    demand(read_all(input, 1) == whole);
    demand(read_all(input, 5) == whole);
    return 0;
}
