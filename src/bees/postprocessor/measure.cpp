#include "bees/postprocessor/measure.hpp"

#include "worker/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace hive::bees {
namespace {

namespace header = worker::header;

std::uint64_t number_in(std::string_view text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value); // what does not read is 0
    return value;
}

// "12.345678" in nanoseconds; anything shorter or longer is read as far as it goes.
Duration milliseconds_in(std::string_view text) {
    constexpr std::size_t digits = 6;
    const std::size_t point = std::min(text.find('.'), text.size());
    auto ns = static_cast<std::int64_t>(number_in(text.substr(0, point)));
    std::string_view fraction =
        point < text.size() ? text.substr(point + 1, digits) : std::string_view{};
    for (std::size_t i = 0; i < digits; ++i) {
        const char digit = i < fraction.size() ? fraction[i] : '0';
        ns = ns * 10 + (digit >= '0' && digit <= '9' ? digit - '0' : 0);
    }
    return Duration{ns};
}

} // namespace

CallOutcome outcome_of(const wire::WorkItem& item) {
    CallOutcome out{.call_id = item.headers.text(header::call_id)};
    if (item.steps.empty()) return out;
    for (const auto& [known, value] : item.steps.back().headers) {
        const std::string_view name = known;
        if (name == header::call_duration) {
            out.measured = true;
            out.service = milliseconds_in(value.str());
        } else if (name == header::call_status) {
            out.status = static_cast<std::uint32_t>(number_in(value.str()));
        } else if (name == header::call_success) {
            out.success = value.str() == "true";
        } else if (name == header::call_from_due) {
            out.from_due = milliseconds_in(value.str());
        } else if (name == header::call_error) {
            out.error = value.str();
        } else if (name == header::call_sent_bytes) {
            out.sent_bytes = number_in(value.str());
        } else if (name == header::call_received_bytes) {
            out.received_bytes = number_in(value.str());
        } else if (name == header::business_code) {
            out.business_code = value.str();
        } else if (name == header::business_success) {
            out.business_success = value.str() == "true";
        } else if (name.starts_with(header::dimension)) {
            out.dimensions.push_back({name.substr(header::dimension.text().size()), value.str()});
        }
    }
    return out;
}

void Tally::add(const CallOutcome& outcome) {
    successes.count(outcome.went_well());
    service.record(outcome.service);
    if (outcome.from_due) from_due.record(*outcome.from_due);
}

void Tally::merge(const Tally& other) {
    successes.merge(other.successes);
    service.merge(other.service);
    from_due.merge(other.from_due);
}

CallOutcome Measure::add(const wire::WorkItem& item, Timestamp now) {
    ++items_;
    add_hops(item, now);
    CallOutcome outcome = outcome_of(item);
    if (!outcome.measured) return outcome;
    all_.add(outcome);
    if (!outcome.call_id.empty()) last_call_.in(by_call_, outcome.call_id).add(outcome);
    if (!outcome.error.empty()) {
        ++last_status_.in(by_status_, outcome.error);
    } else {
        const fmt::format_int status{outcome.status};
        ++last_status_.in(by_status_, {status.data(), status.size()});
    }
    for (const auto& [name, value] : outcome.dimensions) {
        key_.assign(name).append("=").append(value);
        by_dimension_.at(key_).add(outcome);
    }
    sent_bytes_ += outcome.sent_bytes;
    received_bytes_ += outcome.received_bytes;
    return outcome;
}

void Measure::add_hops(const wire::WorkItem& item, Timestamp now) {
    if (item.hops.empty()) return;
    total_.record(now - item.hops.front().received_at);
    Timestamp left = item.hops.front().received_at;
    if (last_hops_.size() < item.hops.size()) last_hops_.resize(item.hops.size());
    for (std::size_t i = 0; i < item.hops.size(); ++i) {
        const wire::Hop& hop = item.hops[i];
        queue_wait_.record(hop.received_at - left);
        last_hops_[i].in(by_hop_, hop.by.service()).record(hop.processed_at - hop.received_at);
        left = hop.processed_at;
    }
    queue_wait_.record(now - left);
}

} // namespace hive::bees
