// Requests in any pieces: what comes out must not depend on where the bytes were cut, must respect
// every bound, and must never be two messages to us and one to somebody else.
#include "api/http/request_reader.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using hive::http::Limits;
using hive::http::Request;
using hive::http::RequestReader;
using Progress = RequestReader::Progress;

constexpr std::size_t body_max = 64;

void demand(bool holds) {
    if (!holds) std::abort();
}

std::string describe(const Request& request) {
    std::string out{request.method_text};
    for (const std::string_view part : {request.target, request.path, request.query}) {
        (out += '|') += part;
    }
    for (const auto& header : request.headers) {
        ((out += '|') += header.name) += '=';
        out += header.value;
    }
    return (out += '|') += request.body;
}

void check(const Request& request, const Limits& limits) {
    demand(request.headers.size() <= limits.headers);
    demand(request.target.size() <= limits.target_bytes);
    demand(request.body.size() <= body_max);
    demand(!(request.chunked && request.content_length));
    demand(request.count("Host") <= 1 && request.count("Content-Length") <= 1);
    demand(request.path.starts_with('/') || request.path == "*");
    demand(request.head.find('\0') == std::string::npos);
}

std::vector<std::string> read_all(std::string_view input, std::size_t step) {
    const Limits limits{.head_bytes = 512, .headers = 8, .target_bytes = 100};
    RequestReader reader{limits};
    std::vector<std::string> requests;
    std::string pending;
    bool body_begun = false;
    for (std::size_t at = 0; at < input.size(); at += step) {
        pending += input.substr(at, step);
        for (;;) {
            const std::size_t used = reader.feed(pending);
            pending.erase(0, used);
            if (reader.progress() == Progress::body && !body_begun) {
                body_begun = true;
                reader.allow_body(body_max);
            }
            if (reader.progress() == Progress::refused) {
                requests.push_back("refused " + std::to_string(reader.refusal().status));
                return requests;
            }
            if (reader.progress() == Progress::whole) {
                check(reader.request(), limits);
                requests.push_back(describe(reader.request()));
                reader.next();
                body_begun = false;
            } else if (used == 0) {
                break;
            }
        }
    }
    return requests;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input{reinterpret_cast<const char*>(data), size};
    const auto whole = read_all(input, size == 0 ? 1 : size);
    demand(read_all(input, 1) == whole);
    demand(read_all(input, 7) == whole);
    return 0;
}
