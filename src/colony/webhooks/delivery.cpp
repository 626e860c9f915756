#include "colony/webhooks/delivery.hpp"

#include "colony/stored.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace hive::colony::webhooks {
namespace {

constexpr std::array<std::string_view, 3> state_names{"pending", "delivered", "failed"};
constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

std::optional<std::int64_t> number_in(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
    if (error != std::errc{} || end != text.end()) return std::nullopt;
    return number;
}

// `Sun, 06 Nov 1994 08:49:37 GMT`
std::optional<Timestamp> parse_http_date(std::string_view text) {
    if (text.size() != 29 || !text.ends_with(" GMT")) return std::nullopt;
    const auto* month = std::ranges::find(months, text.substr(8, 3));
    if (month == months.end()) return std::nullopt;
    const auto time = parse_timestamp(fmt::format(
        "{}-{:02}-{}T{}Z", text.substr(12, 4), month - months.begin() + 1, text.substr(5, 2),
        text.substr(17, 8)));
    return time ? std::optional{*time} : std::nullopt;
}

Attempt attempt_in(const json::object& in) {
    return {
        .at = time_at(in, "at"),
        .took = std::chrono::milliseconds{in.at("tookMs").to_number<std::int64_t>()},
        .status = colony::number_in<unsigned>(in, "status"),
        .answer = text_in(in, "answer")};
}

json::object to_json(const Attempt& attempt) {
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(attempt.took);
    json::object out{{"at", format_timestamp(attempt.at)}, {"tookMs", took.count()}};
    if (attempt.status != 0) out["status"] = attempt.status;
    put(out, "answer", attempt.answer);
    return out;
}

Delivery delivery_in(const json::object& in) {
    Delivery delivery{
        .id = std::string{in.at("id").as_string()},
        .endpoint = std::string{in.at("webhook").as_string()},
        .event = std::string{in.at("event").as_string()},
        .state = parse_state(in.at("state").as_string()).value(),
        .created = time_at(in, "createdAt"),
        .due = time_in(in, "nextAttempt"),
        .tries = colony::number_in<std::size_t>(in, "tries"),
        .attempts = colony::number_in<std::size_t>(in, "attempts")};
    for (const auto& attempt : in.at("log").as_array()) {
        delivery.log.push_back(attempt_in(attempt.as_object()));
    }
    return delivery;
}

} // namespace

std::string_view name_of(State state) noexcept {
    return state_names.at(static_cast<std::size_t>(state));
}

Result<State> parse_state(std::string_view text) {
    const auto* at = std::ranges::find(state_names, text);
    if (at == state_names.end()) {
        return fail(Errc::invalid, "a delivery is pending, delivered or failed");
    }
    return static_cast<State>(at - state_names.begin());
}

std::optional<Duration> parse_retry_after(std::string_view text, Timestamp now) {
    if (const auto seconds = number_in(text)) {
        constexpr std::int64_t year = 365 * 86'400;
        if (*seconds < 0) return std::nullopt;
        return std::chrono::seconds{std::min(*seconds, year)};
    }
    const auto date = parse_http_date(text);
    if (!date || *date <= now) return std::nullopt;
    return *date - now;
}

std::optional<Timestamp>
next_attempt(const Policy& policy, std::size_t tries, const Reply& reply, Random& random) {
    if (tries == 0 || tries > policy.retries.size()) return std::nullopt;
    const double stretch = 1 + policy.jitter * (2 * random.unit() - 1);
    Duration wait = std::chrono::duration_cast<Duration>(policy.retries[tries - 1] * stretch);
    if (reply.retry_after) {
        wait = std::max(wait, std::min(*reply.retry_after, policy.retry_after_max));
    }
    return reply.attempt.at + reply.attempt.took + wait;
}

Settled settle(Settled before, const Policy& policy, const Reply& reply, Random& random) {
    auto& [delivery, endpoint, consequence] = before;
    const Timestamp ended = reply.attempt.at + reply.attempt.took;
    ++delivery.tries;
    ++delivery.attempts;
    delivery.log.push_back(reply.attempt);
    if (delivery.log.size() > attempts_kept) delivery.log.erase(delivery.log.begin());
    consequence = Consequence::none;
    if (reply.arrived()) {
        delivery.state = State::delivered;
        delivery.due.reset();
        endpoint.failing_since.reset();
        endpoint.last_arrival = ended;
        return before;
    }
    delivery.due =
        reply.gone() ? std::nullopt : next_attempt(policy, delivery.tries, reply, random);
    delivery.state = delivery.due ? State::pending : State::failed;
    if (!endpoint.failing_since) endpoint.failing_since = reply.attempt.at;
    if (reply.gone()) {
        consequence = Consequence::gone;
    } else if (ended - *endpoint.failing_since >= policy.disable_after) {
        consequence = Consequence::failing;
    }
    if (!endpoint.enabled) consequence = Consequence::none; // it was before
    if (consequence != Consequence::none) {
        endpoint.enabled = false;
        endpoint.disabled_because = consequence == Consequence::gone ? "gone" : "failing";
    }
    return before;
}

json::object to_json(const Delivery& delivery) {
    json::array log;
    for (const Attempt& attempt : delivery.log) log.push_back(to_json(attempt));
    json::object out{
        {"id", delivery.id},
        {"webhook", delivery.endpoint},
        {"event", delivery.event},
        {"state", name_of(delivery.state)},
        {"createdAt", format_timestamp(delivery.created)},
        {"tries", delivery.tries},
        {"attempts", delivery.attempts},
        {"log", std::move(log)}};
    put(out, "nextAttempt", delivery.due);
    return out;
}

Result<Delivery> delivery_from_stored(std::string_view text) {
    return read_stored("delivery", text, delivery_in);
}

} // namespace hive::colony::webhooks
