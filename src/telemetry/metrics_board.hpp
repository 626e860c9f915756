#pragma once

#include "kernel/subscription.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace hive::telemetry {

struct MetricFamily {
    std::string_view name;
    std::string_view type; // counter, gauge, histogram
    std::string_view help;
};

// One page in Prometheus' text format. Whoever writes on it, all lines of a family stand together,
// as the format wants it.
class MetricsPage {
public:
    // Where lines of the family are appended; until the next call.
    std::string& lines_of(const MetricFamily& family);
    std::string text() const;

private:
    struct Section {
        std::string head;
        std::string lines;
    };
    std::vector<Section> sections_{}; // in the order in which they were first written
    std::map<std::string, std::size_t, std::less<>> places_{};
};

// Where those that measure say what a page shall have of them. They are asked when somebody reads
// it, on the reader's thread. From any thread.
class MetricsBoard {
public:
    using Write = std::function<void(MetricsPage& page)>;

    // Until the subscription goes, which waits for a page that is being written; the board outlives
    // it.
    Subscription post(Write write);
    std::string text() const;

private:
    mutable std::mutex mutex_;
    std::map<std::uint64_t, Write> writers_{};
    std::uint64_t last_ = 0;
};

} // namespace hive::telemetry
