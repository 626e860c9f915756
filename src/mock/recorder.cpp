#include "mock/recorder.hpp"

#include "telemetry/histogram_text.hpp"
#include "telemetry/summary.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace hive::mock {
namespace {

using namespace std::chrono_literals;

json::object delay_json(const telemetry::Histogram& delay) {
    const auto l = telemetry::latencies_of(delay);
    return {{"p50", l.p50},   {"p90", l.p90}, {"p95", l.p95},  {"p99", l.p99},
            {"p999", l.p999}, {"max", l.max}, {"mean", l.mean}};
}

json::object arrivals_json(std::vector<Duration> arrivals, std::uint64_t lost) {
    std::ranges::sort(arrivals);
    json::object windows;
    for (const auto& [name, width] :
         {std::pair{"1ms", 1ms}, std::pair{"10ms", 10ms}, std::pair{"100ms", 100ms}}) {
        const Evenness even = evenness_of(arrivals, width);
        windows[name] = json::object{
            {"windows", even.windows},
            {"mean", even.mean},
            {"variation", even.variation},
            {"mostOff", even.most_off}};
    }
    const double span =
        arrivals.size() < 2
            ? 0
            : std::chrono::duration<double>(arrivals.back() - arrivals.front()).count();
    const double rate = span > 0 ? static_cast<double>(arrivals.size() - 1) / span : 0;
    return {
        {"kept", arrivals.size()},
        {"lost", lost},
        {"ratePerSec", rate},
        {"windows", std::move(windows)}};
}

} // namespace

void Record::merge(const Record& other) {
    requests += other.requests;
    answered += other.answered;
    malformed += other.malformed;
    connections += other.connections;
    refused += other.refused;
    queued_most = std::max(queued_most, other.queued_most);
    for (std::size_t i = 0; i < faults; ++i) by_fault[i] += other.by_fault[i];
    for (const auto& [status, count] : other.by_status) by_status[status] += count;
    delay.merge(other.delay);
    arrivals.insert(arrivals.end(), other.arrivals.begin(), other.arrivals.end());
    arrivals_lost += other.arrivals_lost;
}

Evenness evenness_of(const std::vector<Duration>& sorted, Duration window) {
    Evenness out{.window = window};
    if (sorted.empty()) return out;
    const auto turn = [&](Duration at) { return at / window; };
    // The first and the last window are cut by the run's ends.
    const auto first = turn(sorted.front()) + 1;
    const auto end = turn(sorted.back());
    if (end <= first) return out;
    std::vector<std::uint32_t> counts(
        static_cast<std::size_t>(std::min<Duration::rep>(end - first, 10'000'000)));
    for (const Duration at : sorted) {
        const auto index = turn(at) - first;
        if (index >= 0 && index < static_cast<Duration::rep>(counts.size()))
            ++counts[static_cast<std::size_t>(index)];
    }
    double sum = 0;
    for (const auto count : counts) sum += count;
    out.windows = counts.size();
    out.mean = sum / static_cast<double>(counts.size());
    if (out.mean <= 0) return out;
    double squares = 0;
    for (const auto count : counts) {
        const double away = count - out.mean;
        squares += away * away;
        out.most_off = std::max(out.most_off, std::abs(away) / out.mean);
    }
    out.variation = std::sqrt(squares / static_cast<double>(counts.size())) / out.mean;
    return out;
}

json::object to_json(const Record& record) {
    json::object by_status;
    for (const auto& [status, count] : record.by_status) by_status[std::to_string(status)] = count;
    json::object by_fault;
    for (std::size_t i = 1; i < faults; ++i)
        by_fault[name_of(static_cast<Fault>(i))] = record.by_fault[i];
    return {
        {"schema", "hive.mock/1"},
        {"requests", record.requests},
        {"answered", record.answered},
        {"malformed", record.malformed},
        {"byStatus", std::move(by_status)},
        {"faults", std::move(by_fault)},
        {"connections",
         json::object{{"accepted", record.connections}, {"refused", record.refused}}},
        {"maxQueued", record.queued_most},
        {"delayUs", delay_json(record.delay)},
        {"delayHistogram", telemetry::to_text(record.delay)},
        {"arrivals", arrivals_json(record.arrivals, record.arrivals_lost)}};
}

void Recorder::arrived(Duration since_start) {
    const std::scoped_lock lock{mutex_};
    ++record_.requests;
    if (record_.arrivals.size() < arrivals_max_)
        record_.arrivals.push_back(since_start);
    else
        ++record_.arrivals_lost;
}

void Recorder::answered(int status, Fault fault, Duration delay) {
    const std::scoped_lock lock{mutex_};
    ++record_.by_fault[static_cast<std::size_t>(fault)];
    if (fault == Fault::silent || fault == Fault::reset) return;
    ++record_.answered;
    if (status != 0) ++record_.by_status[status];
    record_.delay.record(delay);
}

void Recorder::count(std::uint64_t Record::* what) {
    const std::scoped_lock lock{mutex_};
    ++(record_.*what);
}

void Recorder::queued(std::size_t depth) {
    const std::scoped_lock lock{mutex_};
    record_.queued_most = std::max(record_.queued_most, std::uint64_t{depth});
}

Record Recorder::read() const {
    const std::scoped_lock lock{mutex_};
    return record_;
}

void Recorder::reset() {
    const std::scoped_lock lock{mutex_};
    record_ = {};
}

} // namespace hive::mock
