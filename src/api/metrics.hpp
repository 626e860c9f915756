#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::api {

class Counter {
public:
    void add(std::uint64_t by = 1) noexcept { value_.fetch_add(by, std::memory_order_relaxed); }
    std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_{0};
};

class Gauge {
public:
    void set(double value) noexcept { value_.store(value, std::memory_order_relaxed); }
    double value() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<double> value_{0};
};

// Durations in seconds, from half a millisecond to ten seconds.
class Histogram {
public:
    static constexpr std::array<double, 14> bounds{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                   0.1,    0.25,  0.5,    1,     2.5,  5,     10};
    void observe(double seconds) noexcept;
    std::uint64_t count() const noexcept;

private:
    friend class MetricRegistry;
    std::array<std::atomic<std::uint64_t>, bounds.size() + 1> buckets_{};
    std::atomic<std::uint64_t> sum_ns_{0};
};

using Labels = std::vector<std::pair<std::string, std::string>>;

// Names a metric; the same name with other labels belongs to the same family.
struct MetricName {
    std::string name; // `hive_http_requests_total`
    std::string help;
    Labels labels{};
};

// All metrics of the process, rendered in Prometheus' text format. Registration takes a lock and
// returns a reference that lives as long as the registry; counting takes none.
class MetricRegistry {
public:
    Counter& counter(const MetricName& name);
    Gauge& gauge(const MetricName& name);
    Histogram& histogram(const MetricName& name);
    // Read when somebody asks: for numbers that others keep.
    void observed_counter(const MetricName& name, std::function<double()> read);
    void observed_gauge(const MetricName& name, std::function<double()> read);
    // Whole families that others write; no name of theirs is one of the registry's.
    void add_page(std::function<std::string()> write);

    std::string render() const;

private:
    struct Sample {
        std::string labels; // `method="GET",status="2xx"`
        std::function<void(std::string& out, const std::string& name, const std::string& labels)>
            render;
    };
    struct Family {
        std::string name;
        std::string help;
        std::string_view type;
        std::vector<Sample> samples;
    };
    Family& family(const MetricName& name, std::string_view type);
    void add_observed(const MetricName& name, std::string_view type, std::function<double()> read);

    mutable std::mutex mutex_;
    std::deque<Family> families_;
    std::deque<Counter> counters_;
    std::deque<Gauge> gauges_;
    std::deque<Histogram> histograms_;
    std::vector<std::function<std::string()>> pages_;
};

} // namespace hive::api
