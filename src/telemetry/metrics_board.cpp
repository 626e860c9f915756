#include "telemetry/metrics_board.hpp"

#include <fmt/format.h>

namespace hive::telemetry {

std::string& MetricsPage::lines_of(const MetricFamily& family) {
    auto at = places_.find(family.name);
    if (at == places_.end()) {
        at = places_.emplace(std::string{family.name}, sections_.size()).first;
        sections_.push_back(
            {fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", family.name, family.help, family.type),
             {}});
    }
    return sections_[at->second].lines;
}

std::string MetricsPage::text() const {
    std::string out;
    for (const Section& section : sections_) {
        out += section.head;
        out += section.lines;
    }
    return out;
}

Subscription MetricsBoard::post(Write write) {
    const std::scoped_lock lock{mutex_};
    const std::uint64_t number = ++last_;
    writers_.emplace(number, std::move(write));
    return Subscription{[this, number] {
        const std::scoped_lock again{mutex_};
        writers_.erase(number);
    }};
}

std::string MetricsBoard::text() const {
    MetricsPage page;
    const std::scoped_lock lock{mutex_};
    for (const auto& [number, write] : writers_) write(page);
    return page.text();
}

} // namespace hive::telemetry
