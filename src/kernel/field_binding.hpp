#pragma once

#include "kernel/config_type.hpp"
#include "kernel/field.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hive {

// How a type is read from JSON; a specialisation for each kind.
template <class T>
struct FieldType;

template <class T>
concept ScalarField = requires(std::string_view text) { ConfigType<T>::parse(text); };

template <ScalarField T>
struct FieldType<T> {
    using Element = T;
    static std::string name() {
        if constexpr (std::is_same_v<T, bool>) {
            return "boolean";
        } else if constexpr (std::is_integral_v<T>) {
            return "integer";
        } else if constexpr (std::is_floating_point_v<T>) {
            return "number";
        } else if constexpr (std::is_same_v<T, Duration>) {
            return "duration";
        } else if constexpr (std::is_same_v<T, ByteSize>) {
            return "size";
        } else {
            return "text";
        }
    }
    static std::string expected() { return ConfigType<T>::expected(); }
    static std::optional<T> read(const json::value& value) {
        if constexpr (std::is_same_v<T, Duration>) {
            if (value.is_number()) { // as the public scenarios mean it
                return std::chrono::duration_cast<Duration>(
                    std::chrono::duration<double, std::milli>{value.to_number<double>()});
            }
        }
        const auto text = scalar_text(value);
        auto parsed = text ? ConfigType<T>::parse(*text) : Result<T>{fail(Errc::invalid, {})};
        return parsed ? std::optional{*std::move(parsed)} : std::nullopt;
    }
    static json::value write(const T& value) {
        if constexpr (std::is_arithmetic_v<T>) {
            return json::value(value);
        } else {
            const auto text = ConfigType<T>::show(value);
            return text.empty() ? json::value{} : json::value(text);
        }
    }
};

// Modifiers that every field has; returns the field so that they can be chained.
template <class Self>
class FieldWords : public Field {
public:
    Self& help(std::string text) { return set(info.help, std::move(text)); }
    Self& unit(std::string text) { return set(info.unit, std::move(text)); }
    Self& required() { return set(info.required, true); }
    Self& fixed() { return set(info.live, false); } // only before the bee starts to work
    Self& secret() { return set(info.secret, true); }
    Self& rendered() { return set(info.is_template, true); } // a template, for each item anew

protected:
    template <class V>
    Self& set(V& field, V value) {
        field = std::move(value);
        return static_cast<Self&>(*this);
    }
};

template <class T>
class ScalarBinding final : public FieldWords<ScalarBinding<T>> {
public:
    using Field::info;

    explicit ScalarBinding(T& member) : member_{member} {
        info.type = FieldType<T>::name();
        info.expected = FieldType<T>::expected();
        info.choices = ConfigType<T>::choices();
        info.secret = ConfigType<T>::secret;
        if (!info.secret) info.fallback = FieldType<T>::write(member);
    }
    ScalarBinding& range(T lowest, T highest) {
        if constexpr (std::is_arithmetic_v<T>) {
            info.lowest = static_cast<double>(lowest);
            info.highest = static_cast<double>(highest);
        }
        info.expected = fmt::format(
            "{} from {} to {}", std::integral<T> ? "an integer" : ConfigType<T>::expected(),
            ConfigType<T>::show(lowest), ConfigType<T>::show(highest));
        return check([lowest, highest](const T& value) -> Status {
            if (value < lowest || highest < value) return fail(Errc::invalid, {});
            return {};
        });
    }
    // An error without detail means "not what is expected".
    ScalarBinding& check(std::function<Status(const T&)> rule) {
        checks_.push_back(std::move(rule));
        return *this;
    }
    ScalarBinding& expected(std::string text) { return this->set(info.expected, std::move(text)); }

    void read(const json::value& value, const std::string& path, FieldProblems& problems) override {
        auto parsed = FieldType<T>::read(value);
        if (!parsed) return refuse_value(info, value, path, problems);
        for (const auto& rule : checks_) {
            const auto ok = rule(*parsed);
            if (ok) continue;
            if (ok.error().detail.empty()) return refuse_value(info, value, path, problems);
            problems.push_back({path, "bad-value", ok.error().detail, {}});
            return;
        }
        member_ = *std::move(parsed);
    }
    void list(const std::string& prefix, std::vector<FieldInfo>& out) const override {
        out.push_back(info);
        out.back().path = prefix + info.path;
    }
    void mask(json::value& value) const override {
        if (info.secret && !value.is_null()) value = masked;
    }

private:
    T& member_;
    std::vector<std::function<Status(const T&)>> checks_{};
};

// A JSON value as it is; only its bee knows more.
template <class T>
class JsonBinding final : public FieldWords<JsonBinding<T>> {
public:
    using Field::info;

    explicit JsonBinding(T& member) : member_{member} {
        info.type = "json";
        info.expected = std::is_same_v<T, json::object> ? "an object" : "a JSON value";
    }
    void read(const json::value& value, const std::string& path, FieldProblems& problems) override {
        if constexpr (std::is_same_v<T, json::object>) {
            if (!value.is_object()) return refuse_value(info, value, path, problems);
            member_ = value.get_object();
        } else {
            member_ = value;
        }
    }
    void list(const std::string& prefix, std::vector<FieldInfo>& out) const override {
        out.push_back(info);
        out.back().path = prefix + info.path;
    }
    void mask(json::value& value) const override {
        if (info.secret && !value.is_null()) value = masked;
    }

private:
    T& member_;
};

template <Described T>
class ObjectBinding final : public FieldWords<ObjectBinding<T>> {
public:
    using Field::info;

    explicit ObjectBinding(T& member) { describe(table_, member); }
    void read(const json::value& value, const std::string& path, FieldProblems& problems) override {
        table_.read(value, path, problems);
    }
    void list(const std::string& prefix, std::vector<FieldInfo>& out) const override {
        table_.list(prefix + info.path + ".", out);
    }
    void mask(json::value& value) const override { table_.mask(value); }

private:
    FieldTable table_{};
};

template <class T>
struct BindingOf;

// One element after another, each in an element of its own.
template <class List, class Element>
class ListBinding final : public FieldWords<ListBinding<List, Element>> {
public:
    using Field::info;
    static constexpr bool named = requires { typename List::mapped_type; };

    explicit ListBinding(List& member) : member_{member} {
        info.expected = named ? "an object" : "a list";
    }
    ListBinding& at_most(std::size_t count) {
        most_ = count;
        return *this;
    }
    void read(const json::value& value, const std::string& path, FieldProblems& problems) override {
        if (named ? !value.is_object() : !value.is_array()) {
            return refuse_value(info, value, path, problems);
        }
        const std::size_t size = named ? value.as_object().size() : value.as_array().size();
        if (size > most_) {
            problems.push_back(
                {path, "bad-value", fmt::format("{} entries; at most {}", size, most_), {}});
            return;
        }
        const std::size_t before = problems.size();
        List all{};
        if constexpr (named) {
            for (const auto& [key, each] : value.get_object()) {
                read_one(
                    each, fmt::format("{}.{}", path, std::string_view{key}), problems,
                    all[std::string{key}]);
            }
        } else {
            for (const auto& each : value.get_array()) {
                Element element{};
                read_one(each, fmt::format("{}[{}]", path, all.size()), problems, element);
                all.push_back(std::move(element));
            }
        }
        if (problems.size() == before) member_ = std::move(all);
    }
    void list(const std::string& prefix, std::vector<FieldInfo>& out) const override {
        Element element{};
        const auto binding = BindingOf<Element>::make(element);
        binding->info.path = info.path + (named ? "{}" : "[]");
        binding->info.help = info.help;
        binding->info.live = info.live;
        binding->info.is_template = info.is_template;
        binding->list(prefix, out);
    }
    void mask(json::value& value) const override {
        Element element{};
        const auto binding = BindingOf<Element>::make(element);
        if (info.secret) binding->info.secret = true;
        if (auto* array = value.if_array()) {
            for (auto& each : *array) binding->mask(each);
        } else if (auto* object = value.if_object()) {
            for (auto& each : *object) binding->mask(each.value());
        }
    }

private:
    void read_one(
        const json::value& value, const std::string& path, FieldProblems& problems,
        Element& into) const {
        BindingOf<Element>::make(into)->read(value, path, problems);
    }

    List& member_;
    std::size_t most_ = 10'000;
};

// Null means none.
template <class T>
class OptionalBinding final : public FieldWords<OptionalBinding<T>> {
public:
    using Field::info;

    explicit OptionalBinding(std::optional<T>& member) : member_{member} {
        T element{};
        info = BindingOf<T>::make(element)->info;
        info.fallback = nullptr;
    }
    void read(const json::value& value, const std::string& path, FieldProblems& problems) override {
        if (value.is_null()) {
            member_.reset();
            return;
        }
        const std::size_t before = problems.size();
        T element{};
        BindingOf<T>::make(element)->read(value, path, problems);
        if (problems.size() == before) member_ = std::move(element);
    }
    void list(const std::string& prefix, std::vector<FieldInfo>& out) const override {
        T element{};
        const auto binding = BindingOf<T>::make(element);
        binding->info = info;
        binding->list(prefix, out);
    }
    void mask(json::value& value) const override {
        T element{};
        const auto binding = BindingOf<T>::make(element);
        binding->info.secret = info.secret;
        binding->mask(value);
    }

private:
    std::optional<T>& member_;
};

template <class T>
struct BindingOf {
    using Type = std::conditional_t<
        std::is_same_v<T, json::value> || std::is_same_v<T, json::object>, JsonBinding<T>,
        ScalarBinding<T>>;
    static std::unique_ptr<Type> make(T& member) { return std::make_unique<Type>(member); }
};
template <Described T>
struct BindingOf<T> {
    using Type = ObjectBinding<T>;
    static std::unique_ptr<Type> make(T& member) { return std::make_unique<Type>(member); }
};
template <class T>
struct BindingOf<std::vector<T>> {
    using Type = ListBinding<std::vector<T>, T>;
    static std::unique_ptr<Type> make(std::vector<T>& member) {
        return std::make_unique<Type>(member);
    }
};
template <class T>
struct BindingOf<std::map<std::string, T>> {
    using Type = ListBinding<std::map<std::string, T>, T>;
    static std::unique_ptr<Type> make(std::map<std::string, T>& member) {
        return std::make_unique<Type>(member);
    }
};
template <class T>
struct BindingOf<std::optional<T>> {
    using Type = OptionalBinding<T>;
    static std::unique_ptr<Type> make(std::optional<T>& member) {
        return std::make_unique<Type>(member);
    }
};

template <class T>
auto& FieldTable::add(std::string name, T& member) {
    auto binding = BindingOf<T>::make(member);
    auto& added = *binding;
    added.info.path = std::move(name);
    fields_.push_back(std::move(binding));
    return added;
}

} // namespace hive
