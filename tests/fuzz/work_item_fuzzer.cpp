#include "wire/work_codec.hpp"

#include <simdjson.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>

using namespace hive::wire;

namespace {

// Our own reader must not be laxer than a known one.
bool is_json(const std::string& text) {
    simdjson::dom::parser parser;
    const auto error = parser.parse(text).error();
    // Numbers are kept as text here, so that their size does not matter.
    return error == simdjson::SUCCESS || error == simdjson::NUMBER_ERROR;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{reinterpret_cast<const char*>(data), size};
    const auto decoded = decode_work_item(text);
    // Bees that were met before are recognised; that changes nothing.
    const auto repeated = decode_work_item(text);
    assert(repeated.has_value() == decoded.has_value());
    assert(decoded ? *repeated == *decoded : repeated.error().detail == decoded.error().detail);
    if (!decoded) {
        assert(!decoded.error().detail.empty());
        return 0;
    }
    assert(is_json(text));
    std::string encoded;
    encode(*decoded, encoded);
    const auto again = decode_work_item(encoded);
    assert(again.has_value());
    assert(*again == *decoded);
    return 0;
}
