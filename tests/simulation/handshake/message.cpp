#include "tests/simulation/handshake/message.hpp"

#include "kernel/overloaded.hpp"

#include <fmt/format.h>

#include <charconv>

namespace hive::simulation::handshake {

std::string_view routing_key_of(const Message& message) {
    return std::visit(
        overloaded{
            [](const Command&) { return command_key; },
            [](const Reaction&) { return reaction_key; },
            [](const Outcome&) { return outcome_key; },
        },
        message);
}

std::string encode(const Message& message) {
    return std::visit(
        overloaded{
            [](const Outcome& outcome) {
                return fmt::format(
                    "{} {} {}", outcome.attempt.correlation, outcome.attempt.key, outcome.entry);
            },
            [](const auto& other) {
                return fmt::format("{} {}", other.attempt.correlation, other.attempt.key);
            },
        },
        message);
}

Result<Message> decode(std::string_view routing_key, std::string_view body) {
    const auto parts = words(body);
    const std::size_t expected = routing_key == outcome_key ? 3 : 2;
    if (parts.size() != expected) {
        return fail(Errc::invalid, fmt::format("'{}' must have {} words", body, expected));
    }
    Attempt attempt{parts[0], parts[1]};
    if (routing_key == command_key) return Command{std::move(attempt)};
    if (routing_key == reaction_key) return Reaction{std::move(attempt)};
    if (routing_key != outcome_key) {
        return fail(Errc::invalid, fmt::format("no message has the key '{}'", routing_key));
    }
    const auto entry = number(parts[2]);
    if (!entry) return fail(entry.error());
    return Outcome{std::move(attempt), *entry};
}

std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> out;
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
        out.emplace_back(text.substr(0, space));
        text.remove_prefix(space == text.npos ? text.size() : space + 1);
    }
    return out;
}

Result<std::uint64_t> number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        return fail(Errc::invalid, fmt::format("'{}' is not a whole number", text));
    }
    return value;
}

} // namespace hive::simulation::handshake
