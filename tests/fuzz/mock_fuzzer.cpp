#include "mock/framing.hpp"
#include "mock/http_scan.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace hive::mock;

namespace {

bool inside(std::string_view part, std::string_view whole) {
    return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

void check_request(std::string_view text) {
    const Scanned scanned = scan_request(text);
    if (scanned.state == Scanned::State::bad) {
        assert(scanned.status >= 400 && !scanned.reason.empty());
        return;
    }
    if (scanned.state == Scanned::State::more) {
        assert(text.size() < head_max);
        return;
    }
    assert(scanned.head.size <= text.size() && scanned.head.body <= body_max);
    assert(inside(scanned.head.method, text) && inside(scanned.head.target, text));
    // One byte less is not the same request.
    assert(scan_request(text.substr(0, scanned.head.size - 1)).state != Scanned::State::whole);
}

void check_frames(Framing framing, std::string_view text) {
    const Frame frame = scan_frame(framing, text);
    if (frame.state != Frame::State::whole) {
        assert((frame.state == Frame::State::bad) == !frame.reason.empty());
        return;
    }
    assert(frame.size > 0 && frame.size <= text.size() && inside(frame.payload, text));
    std::string again;
    append_frame(framing, frame.payload, again);
    assert(again == text.substr(0, frame.size));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    check_request(text);
    for (const auto& named : names_of(Framing::echo)) check_frames(named.value, text);
    return 0;
}
