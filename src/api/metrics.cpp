#include "api/metrics.hpp"

#include "kernel/append_format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace hive::api {
namespace {

std::string render_labels(const Labels& labels) {
    std::string out;
    for (const auto& [name, value] : labels) {
        if (!out.empty()) out += ',';
        out += name;
        out += "=\"";
        for (const char c : value) {
            if (c == '\\' || c == '"') out += '\\';
            if (c == '\n') {
                out += "\\n";
            } else {
                out += c;
            }
        }
        out += '"';
    }
    return out;
}

void line(std::string& out, std::string_view name, std::string_view labels, double value) {
    append_format(
        out, "{}{}{}{} {}\n", name, labels.empty() ? "" : "{", labels, labels.empty() ? "" : "}",
        value);
}

} // namespace

void Histogram::observe(double seconds) noexcept {
    const auto at = std::ranges::lower_bound(bounds, seconds) - bounds.begin();
    buckets_[static_cast<std::size_t>(at)].fetch_add(1, std::memory_order_relaxed);
    sum_ns_.fetch_add(
        static_cast<std::uint64_t>(std::max(seconds, 0.0) * 1e9), std::memory_order_relaxed);
}

std::uint64_t Histogram::count() const noexcept {
    std::uint64_t total = 0;
    for (const auto& bucket : buckets_) total += bucket.load(std::memory_order_relaxed);
    return total;
}

MetricRegistry::Family& MetricRegistry::family(const MetricName& name, std::string_view type) {
    const auto at = std::ranges::find(families_, name.name, &Family::name);
    if (at != families_.end()) {
        assert(at->type == type);
        return *at;
    }
    return families_.emplace_back(Family{name.name, name.help, type, {}});
}

Counter& MetricRegistry::counter(const MetricName& name) {
    const std::lock_guard lock{mutex_};
    Counter& counter = counters_.emplace_back();
    family(name, "counter")
        .samples.push_back(
            {render_labels(name.labels),
             [&counter](std::string& out, const std::string& full, const std::string& labels) {
                 line(out, full, labels, static_cast<double>(counter.value()));
             }});
    return counter;
}

Gauge& MetricRegistry::gauge(const MetricName& name) {
    const std::lock_guard lock{mutex_};
    Gauge& gauge = gauges_.emplace_back();
    family(name, "gauge")
        .samples.push_back(
            {render_labels(name.labels),
             [&gauge](std::string& out, const std::string& full, const std::string& labels) {
                 line(out, full, labels, gauge.value());
             }});
    return gauge;
}

Histogram& MetricRegistry::histogram(const MetricName& name) {
    const std::lock_guard lock{mutex_};
    Histogram& histogram = histograms_.emplace_back();
    const auto render =
        [&histogram](std::string& out, const std::string& full, const std::string& labels) {
            const std::string comma = labels.empty() ? "" : ",";
            std::uint64_t total = 0;
            for (std::size_t i = 0; i <= Histogram::bounds.size(); ++i) {
                total += histogram.buckets_[i].load(std::memory_order_relaxed);
                const std::string bound =
                    i < Histogram::bounds.size() ? fmt::format("{}", Histogram::bounds[i]) : "+Inf";
                line(
                    out, full + "_bucket", fmt::format("{}{}le=\"{}\"", labels, comma, bound),
                    static_cast<double>(total));
            }
            const auto sum = histogram.sum_ns_.load(std::memory_order_relaxed);
            line(out, full + "_sum", labels, static_cast<double>(sum) / 1e9);
            line(out, full + "_count", labels, static_cast<double>(total));
        };
    family(name, "histogram").samples.push_back({render_labels(name.labels), render});
    return histogram;
}

void MetricRegistry::observed_counter(const MetricName& name, std::function<double()> read) {
    add_observed(name, "counter", std::move(read));
}

void MetricRegistry::observed_gauge(const MetricName& name, std::function<double()> read) {
    add_observed(name, "gauge", std::move(read));
}

void MetricRegistry::add_observed(
    const MetricName& name, std::string_view type, std::function<double()> read) {
    const std::lock_guard lock{mutex_};
    family(name, type)
        .samples.push_back(
            {render_labels(name.labels),
             [read = std::move(read)](
                 std::string& out, const std::string& full, const std::string& labels) {
                 line(out, full, labels, read());
             }});
}

void MetricRegistry::add_page(std::function<std::string()> write) {
    const std::lock_guard lock{mutex_};
    pages_.push_back(std::move(write));
}

std::string MetricRegistry::render() const {
    const std::lock_guard lock{mutex_};
    std::string out;
    for (const Family& family : families_) {
        append_format(
            out, "# HELP {0} {1}\n# TYPE {0} {2}\n", family.name, family.help, family.type);
        for (const Sample& sample : family.samples) {
            sample.render(out, family.name, sample.labels);
        }
    }
    for (const auto& write : pages_) out += write();
    return out;
}

} // namespace hive::api
