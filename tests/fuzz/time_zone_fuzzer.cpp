// Any bytes as a compiled time zone: refused, or a zone whose clocks can be asked.
#include "kernel/time_zone.hpp"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace std::chrono;
    const std::string_view bytes{reinterpret_cast<const char*>(data), size};
    const auto zone = hive::TimeZone::read("Fuzzed/Place", bytes);
    if (!zone) return 0;
    for (int y = 1970; y < 2150; y += 30) {
        const hive::Timestamp time{sys_days{year{y} / July / 1}};
        const auto shown = zone->when(zone->to_local(time));
        if (shown.last < shown.first) std::abort();
    }
    return 0;
}
