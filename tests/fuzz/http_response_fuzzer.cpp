// Answers in any pieces: what comes out must not depend on where the bytes were cut, and must
// respect every bound. The first byte says what was asked and whether the server closed at the end.
#include "call/response_reader.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace hive::call;
using Progress = ResponseReader::Progress;

constexpr ResponseReader::Limits limits{.head_bytes = 512, .body_bytes = 96, .kept_body_bytes = 48};

void demand(bool holds) {
    if (!holds) std::abort();
}

struct Answer {
    unsigned status = 0;
    Headers headers;
    std::string body;
    std::uint64_t body_bytes = 0;
};

std::string describe(const Answer& answer, const ResponseReader& reader) {
    demand(answer.body.size() <= limits.kept_body_bytes);
    demand(answer.body_bytes <= limits.body_bytes);
    demand(answer.body.size() <= answer.body_bytes);
    std::string out = std::to_string(static_cast<int>(reader.failure().error));
    (out += '|') += std::to_string(answer.status);
    ((out += '|') += answer.body) += '|';
    out += std::to_string(answer.body_bytes);
    // Where an answer breaks off within a line, how much of that line was kept may differ.
    if (reader.progress() == Progress::broken) return out;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < answer.headers.size(); ++i) {
        const auto field = answer.headers[i];
        ((out += '|') += field.name) += '=';
        out += field.value;
        bytes += field.name.size() + field.value.size();
    }
    demand(bytes <= limits.head_bytes);
    return out += reader.progress() == Progress::whole && reader.keep_alive() ? "|keep" : "|close";
}

// All answers of one connection, as a client that sends the next request after each would see them.
std::vector<std::string> read_all(std::string_view input, std::size_t step, std::uint8_t how) {
    const bool answers_head = (how & 1U) != 0;
    std::vector<std::string> seen;
    ResponseReader reader{limits};
    Answer answer;
    const auto start = [&] {
        reader.start(
            {&answer.status, &answer.headers, &answer.body, &answer.body_bytes}, answers_head);
    };
    start();
    for (std::size_t at = 0; at < input.size(); at += step) {
        std::string_view piece = input.substr(at, step);
        while (!piece.empty()) {
            const std::size_t used = reader.feed(piece);
            demand(used <= piece.size());
            piece.remove_prefix(used);
            if (reader.progress() == Progress::broken) {
                seen.push_back(describe(answer, reader));
                return seen;
            }
            if (reader.progress() == Progress::whole) {
                seen.push_back(describe(answer, reader));
                if (!reader.keep_alive()) return seen;
                start();
            } else {
                demand(piece.empty());
            }
        }
    }
    if ((how & 2U) != 0) reader.end_of_stream();
    seen.push_back(describe(answer, reader));
    return seen;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const std::string_view input{reinterpret_cast<const char*>(data) + 1, size - 1};
    const auto whole = read_all(input, input.size(), data[0]);
    demand(read_all(input, 1, data[0]) == whole);
    demand(read_all(input, 7, data[0]) == whole);
    return 0;
}
