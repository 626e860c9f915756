#include "api/mcp/exchange.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace hive;
using namespace hive::mcp;

// Whatever comes is answered with JSON or not at all, whatever the API says to it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto read = parse_message({reinterpret_cast<const char*>(data), size});
    if (!read) assert(!read.error().message.empty());
    Exchange exchange{{"1.0"}, read};
    const unsigned status = size % 2 == 0 ? 200 : 409;
    for (int turn = 0; exchange.wants() && turn < 10; ++turn) {
        assert(exchange.wants()->path.starts_with("/api/v1/"));
        const json::object told{{"id", "x"}, {"items", json::array{}}, {"code", "stale-lease"}};
        exchange.answered({status, told});
    }
    assert(!exchange.wants());
    if (!exchange.answer().empty()) assert(parse_json(exchange.answer(), {.bytes = 16U << 20U}));
    assert(!exchange.is_request() || !exchange.answer().empty());
    return 0;
}
