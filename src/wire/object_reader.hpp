#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "wire/choice.hpp"
#include "wire/problems.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::wire {

// Reads the members of one closed JSON object. Whatever is wrong goes to the problems with its path
// and gives an empty or default value, so that one pass finds everything.
class ObjectReader {
public:
    ObjectReader(const json::object& object, std::string path, Problems& problems)
        : object_{object}, path_{std::move(path)}, problems_{problems} {
        asked_.reserve(16); // more than any object of the contract has members
    }
    ObjectReader(ObjectReader&&) = delete;
    ObjectReader& operator=(ObjectReader&&) = delete;
    ~ObjectReader() { close(); }
    void close(); // reports the members that nobody asked for, once

    // Absent members give nothing; those that are needed are also reported as missing.
    std::optional<std::string> text(std::string_view name);
    std::optional<std::string> text_or_null(std::string_view name); // must be present
    std::optional<bool> flag(std::string_view name);
    std::optional<std::uint64_t> count(std::string_view name); // 0 to 2^53 - 1
    std::optional<json::object> freeform(std::string_view name);
    std::vector<std::string> texts(std::string_view name);
    const json::object* object(std::string_view name);

    std::optional<std::string> need_text(std::string_view name);
    bool need_flag(std::string_view name);
    std::uint64_t need_count(std::string_view name);
    Timestamp need_time(std::string_view name);
    json::object need_freeform(std::string_view name);
    const json::object* need_object(std::string_view name);

    template <class Choices>
    typename Choices::value_type need_choice(const Choices& choices, std::string_view name) {
        const json::value* value = need(name);
        if (!value) return choices.front();
        if (!value->is_string()) {
            problem(name, "must be a string");
            return choices.front();
        }
        const auto choice = parse_choice(choices, value->get_string());
        if (!choice) problem(name, choice.error().detail);
        return choice.value_or(choices.front());
    }

    void problem(std::string_view name, std::string_view why) { problems_.add(path_of(name), why); }
    std::string path_of(std::string_view name) const;
    Problems& problems() { return problems_; }

private:
    const json::value* find(std::string_view name);
    const json::value* need(std::string_view name);

    const json::object& object_;
    std::string path_;
    Problems& problems_;
    std::vector<std::string_view> asked_;
    bool closed_ = false;
};

} // namespace hive::wire
