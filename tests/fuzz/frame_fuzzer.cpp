// Frames in any pieces: the same messages come out, none is larger than allowed, and what is framed
// is found again. The first byte says the framing, the second a length.
#include "call/frame.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace hive::call;
using Progress = FrameReader::Progress;

void demand(bool holds) {
    if (!holds) std::abort();
}

FrameRules rules_of(std::uint8_t framing, std::uint8_t length, std::string_view input) {
    FrameRules rules{.framing = static_cast<Framing>(framing % 6), .bytes_max = 64};
    rules.delimiter = std::string{input.substr(0, 1 + length % 4U)};
    rules.length = 1 + length % 64U;
    return rules;
}

std::vector<std::string>
read_all(std::string_view input, const FrameRules& rules, std::size_t step) {
    std::vector<std::string> seen;
    FrameReader reader;
    std::string payload;
    reader.start(rules, payload);
    for (std::size_t at = 0; at < input.size(); at += step) {
        std::string_view piece = input.substr(at, step);
        while (!piece.empty()) {
            const std::size_t used = reader.feed(piece);
            demand(used <= piece.size());
            piece.remove_prefix(used);
            demand(payload.size() <= rules.bytes_max + rules.delimiter.size());
            if (reader.progress() == Progress::broken) {
                demand(payload.size() <= rules.bytes_max);
                seen.push_back(
                    "broken " + std::to_string(static_cast<int>(reader.failure().error)));
                return seen;
            }
            if (reader.progress() == Progress::whole) {
                demand(payload.size() <= rules.bytes_max);
                seen.push_back("whole " + payload);
                reader.start(rules, payload);
            } else {
                demand(piece.empty());
            }
        }
    }
    reader.end_of_stream();
    seen.push_back(reader.progress() == Progress::whole ? "open " + payload : "cut");
    return seen;
}

// What can be framed comes back as it was, and leaves nothing over.
void check_round_trip(std::string_view payload, const FrameRules& rules) {
    std::string wire;
    if (payload.size() > rules.bytes_max || !append_frame(wire, payload, rules)) return;
    FrameReader reader;
    std::string back;
    reader.start(rules, back);
    // A payload that ends like the delimiter begins may be cut short; no other can.
    const bool ambiguous =
        rules.framing == Framing::delimiter && wire.find(rules.delimiter) != payload.size();
    const std::size_t used = reader.feed(wire);
    if (rules.framing == Framing::none) reader.end_of_stream();
    demand(reader.progress() == Progress::whole);
    if (!ambiguous) demand(used == wire.size() && back == payload);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 3) return 0;
    const std::string_view input{reinterpret_cast<const char*>(data) + 2, size - 2};
    const FrameRules rules = rules_of(data[0], data[1], input);
    if (!check(rules)) return 0;
    const auto whole = read_all(input, rules, input.size());
    demand(read_all(input, rules, 1) == whole);
    demand(read_all(input, rules, 5) == whole);
    check_round_trip(input, rules);
    return 0;
}
