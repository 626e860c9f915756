#include "wire/envelope_codec.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>

using namespace hive::wire;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto decoded = decode_envelope({reinterpret_cast<const char*>(data), size});
    if (!decoded) {
        assert(!decoded.error().detail.empty());
        return 0;
    }
    assert(check(*decoded).has_value());
    const auto again = decode_envelope(encode(*decoded));
    assert(again.has_value());
    assert(*again == *decoded);
    assert(parse_routing_key(to_text(routing_key_of(*decoded))) == routing_key_of(*decoded));
    return 0;
}
