#include "guard/steered.hpp"

#include <fmt/format.h>

#include <string_view>

namespace hive::guard {
namespace {

const json::value* member(const json::object* object, std::string_view name) {
    const auto* value = object == nullptr ? nullptr : object->if_contains(name);
    return value == nullptr || value->is_null() ? nullptr : value;
}

const json::object* object_in(const json::object* object, std::string_view name) {
    const auto* value = member(object, name);
    return value == nullptr ? nullptr : value->if_object();
}

std::string_view word_at(const json::object* object, std::string_view name) {
    const auto* value = member(object, name);
    return value != nullptr && value->is_string() ? std::string_view{value->get_string()}
                                                  : std::string_view{};
}

// What the settings of the input are called; empty: it takes what others make.
std::string_view input_of(std::string_view type, bool takes_items) {
    if (type == "SCHEDULER") return "scheduler";
    if (type == "REDIS_DATASET") return "redis";
    if (type == "CSV_DATASET") return "csv";
    // By itself a bee that takes nothing from a queue makes its items by the scheduler.
    return (type.empty() || type == "AUTO") && !takes_items ? "scheduler" : "";
}

} // namespace

Result<std::string> rate_field_of(const Filler& bee) {
    const auto* inputs = object_in(&bee.config, "inputs");
    const std::string_view input = input_of(word_at(inputs, "type"), bee.takes_items);
    if (input.empty()) return fail(Errc::invalid, "takes its items from a queue, at no rate");
    const auto* pace = object_in(inputs, input);
    if (member(pace, "shape") != nullptr) {
        return fail(
            Errc::invalid, fmt::format("runs by inputs.{}.shape, which has its own rate", input));
    }
    if (word_at(pace, "pacing") == "UNLIMITED") {
        return fail(Errc::invalid, fmt::format("has no rate: inputs.{}.pacing UNLIMITED", input));
    }
    return fmt::format("inputs.{}.ratePerSec", input);
}

} // namespace hive::guard
