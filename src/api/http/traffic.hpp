#pragma once

#include <atomic>
#include <cstdint>

namespace hive::http {

// What the transport counts; read by whoever exposes metrics. Totals since the start, except
// `open`.
struct Traffic {
    using Count = std::atomic<std::uint64_t>;
    Count accepted{0};
    Count open{0};
    Count refused_connections{0}; // over a limit of connections
    Count refused_requests{0};    // answered by the transport itself: malformed, too large, late
    Count failed_handshakes{0};
    Count timed_out{0};
    Count bytes_received{0};
    Count bytes_sent{0};

    static void add(Count& count, std::uint64_t by = 1) {
        count.fetch_add(by, std::memory_order_relaxed);
    }
};

} // namespace hive::http
