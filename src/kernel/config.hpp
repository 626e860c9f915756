#pragma once

#include "kernel/config_type.hpp"
#include "kernel/finding.hpp"
#include "kernel/yaml.hpp"

#include <fmt/format.h>

#include <cassert>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive {

enum class Arity : std::uint8_t {
    toggle, // --json
    one,    // --port N
    list,   // --tag A --tag B
    map,    // --set a=1 --set b=2
};

// All there is to know about an option without its type: help, completion and the man page are
// written from this.
struct OptionInfo {
    std::string key{};          // in the file, dotted: "http.port"; empty: not in the file
    std::string flag{};         // without dashes; empty: not on the command line
    char letter = 0;            // a one-letter flag; 0: none
    std::string env{};          // empty: not in the environment
    std::string positional{};   // its name in usage, when it is given by position
    std::string value_name{};   // "N" in "--port N"
    std::string help{};         // one sentence without a full stop
    std::string default_text{}; // empty: none
    std::string expected{};     // completes "expected ..."
    std::vector<std::string> choices{};
    Completes completes = Completes::nothing;
    Arity arity = Arity::one;
    bool secret = false;
    bool required = false;

    std::string name() const; // how messages call it: the key, or else the flag or positional
};

struct ValueSource {
    enum class Kind : std::uint8_t { fallback, file, env, flag };
    Kind kind = Kind::fallback;
    std::string where = "default"; // "hive.yaml:3:9", "HIVE_HTTP_PORT", "--port"
};

// A value that could not be used.
struct ValueProblem {
    Position at{};
    std::string code{};
    std::string shown{};  // what was found, safe to print
    std::string reason{}; // "expected an integer from 1 to 65535"
};

class Option {
public:
    virtual ~Option() = default;
    // Assigns the whole value, or nothing and says every reason why.
    virtual std::vector<ValueProblem> read(const YamlNode& node, const SecretSources& secrets) = 0;
    virtual std::string show() const = 0; // secrets masked

    OptionInfo info{};
    ValueSource source{};
};

// How a member's type maps to values: one element, many, or many with names.
template <class T>
struct Shape {
    using Element = T;
    static constexpr Arity arity = std::is_same_v<T, bool> ? Arity::toggle : Arity::one;
};
template <class T>
struct Shape<std::optional<T>> {
    using Element = T;
    static constexpr Arity arity = Arity::one;
};
template <class T>
struct Shape<std::vector<T>> {
    using Element = T;
    static constexpr Arity arity = Arity::list;
};
template <class T>
struct Shape<std::map<std::string, T>> {
    using Element = T;
    static constexpr Arity arity = Arity::map;
};

ValueProblem wrong_shape(const YamlNode& node, const OptionInfo& info);
ValueProblem bad_value(const YamlNode& node, const OptionInfo& info, const Error& error);

// One declaration of one option, bound to a member that outlives it. The member's value at the time
// of the declaration is the default.
template <class T>
class BoundOption final : public Option {
public:
    using Element = typename Shape<T>::Element;
    using Type = ConfigType<Element>;

    explicit BoundOption(T& target);

    BoundOption& help(std::string text) { return set(info.help, std::move(text)); }
    BoundOption& flag(std::string name) { return set(info.flag, std::move(name)); }
    BoundOption& letter(char c) { return set(info.letter, c); }
    BoundOption& env(std::string name) { return set(info.env, std::move(name)); }
    BoundOption& value_name(std::string name) { return set(info.value_name, std::move(name)); }
    BoundOption& expected(std::string text) { return set(info.expected, std::move(text)); }
    BoundOption& required() { return set(info.required, true); }
    BoundOption& secret() { return set(info.secret, true); }
    BoundOption& range(Element lowest, Element highest)
        requires std::totally_ordered<Element>;
    BoundOption& choices(std::vector<std::string> names);
    // What completion offers, without refusing anything else.
    BoundOption& suggests(std::vector<std::string> names) {
        return set(info.choices, std::move(names));
    }
    // An error without detail means "not what is expected".
    BoundOption& check(std::function<Status(const Element&)> rule);

    std::vector<ValueProblem> read(const YamlNode& node, const SecretSources& secrets) override;
    std::string show() const override;

private:
    template <class V>
    BoundOption& set(V& field, V value) {
        field = std::move(value);
        return *this;
    }
    std::string shown(const Element& element) const;
    std::optional<Element>
    parse(const YamlNode& node, const SecretSources& secrets, std::vector<ValueProblem>& problems);
    Result<Element> parse_text(const std::string& text, const SecretSources& secrets) const;

    T& target_;
    std::vector<std::function<Status(const Element&)>> checks_{};
};

// What most commands use is compiled once, in config_bound.cpp, and not in the file of each
// command.
extern template class BoundOption<bool>;
extern template class BoundOption<std::string>;
extern template class BoundOption<std::vector<std::string>>;
extern template class BoundOption<std::optional<std::string>>;
extern template class BoundOption<Duration>;
extern template class BoundOption<std::optional<Duration>>;
extern template class BoundOption<std::uint32_t>;
extern template class BoundOption<std::uint64_t>;
extern template class BoundOption<std::optional<std::uint32_t>>;
extern template class BoundOption<std::int64_t>;
extern template class BoundOption<double>;
extern template class BoundOption<FilePath>;
extern template class BoundOption<std::optional<FilePath>>;
extern template class BoundOption<std::optional<DirectoryPath>>;
extern template class BoundOption<std::optional<Url>>;
extern template class BoundOption<Secret>;

// The options of one command, in the order help shows them.
class OptionTable {
public:
    // In the file under `key`, on the command line as --a-b-c, in the environment as HIVE_A_B_C.
    template <class T>
    BoundOption<T>& add(std::string key, T& target) {
        auto& option = append(target);
        option.info.flag = flag_for(key);
        option.info.env = env_for(key);
        option.info.key = std::move(key);
        return option;
    }
    // Only on the command line.
    template <class T>
    BoundOption<T>& add_flag(std::string flag, T& target) {
        return append(target).flag(std::move(flag));
    }
    // Given by position; a list takes all that are left, so it comes last.
    template <class T>
    BoundOption<T>& add_positional(std::string name, T& target) {
        auto& option = append(target);
        option.info.positional = std::move(name);
        return option;
    }

    std::span<const std::unique_ptr<Option>> options() const noexcept { return options_; }
    Option* find_key(std::string_view key) const noexcept;
    Option* find_flag(std::string_view flag) const noexcept;
    Option* find_letter(char letter) const noexcept;

private:
    template <class T>
    BoundOption<T>& append(T& target) {
        auto option = std::make_unique<BoundOption<T>>(target);
        auto& added = *option;
        options_.push_back(std::move(option));
        return added;
    }
    static std::string flag_for(std::string_view key);
    static std::string env_for(std::string_view key);

    std::vector<std::unique_ptr<Option>> options_{};
};

template <class T>
BoundOption<T>::BoundOption(T& target) : target_{target} {
    info.arity = Shape<T>::arity;
    info.value_name = Type::value_name();
    info.expected = Type::expected();
    info.choices = Type::choices();
    info.completes = Type::completes;
    info.secret = Type::secret;
    info.default_text = show();
}

template <class T>
BoundOption<T>& BoundOption<T>::range(Element lowest, Element highest)
    requires std::totally_ordered<Element>
{
    const std::string kind = std::integral<Element> ? "an integer" : Type::expected();
    info.expected = fmt::format("{} from {} to {}", kind, Type::show(lowest), Type::show(highest));
    return check([lowest, highest](const Element& value) -> Status {
        if (value < lowest || highest < value) return fail(Errc::invalid, {});
        return {};
    });
}

template <class T>
BoundOption<T>& BoundOption<T>::choices(std::vector<std::string> names) {
    info.choices = names;
    info.expected = fmt::format("one of {}", fmt::join(names, ", "));
    return check([names = std::move(names)](const Element& value) -> Status {
        for (const auto& name : names) {
            if (Type::show(value) == name) return {};
        }
        return fail(Errc::invalid, {});
    });
}

template <class T>
BoundOption<T>& BoundOption<T>::check(std::function<Status(const Element&)> rule) {
    checks_.push_back(std::move(rule));
    return *this;
}

template <class T>
std::vector<ValueProblem> BoundOption<T>::read(const YamlNode& node, const SecretSources& secrets) {
    std::vector<ValueProblem> problems;
    T value{};
    if constexpr (Shape<T>::arity == Arity::list) {
        if (node.kind != YamlNode::Kind::sequence) return {wrong_shape(node, info)};
        for (const YamlNode& item : node.items) {
            if (auto element = parse(item, secrets, problems)) {
                value.push_back(*std::move(element));
            }
        }
    } else if constexpr (Shape<T>::arity == Arity::map) {
        if (node.kind != YamlNode::Kind::mapping) return {wrong_shape(node, info)};
        for (const YamlNode& item : node.items) {
            if (auto element = parse(item, secrets, problems)) {
                value.insert_or_assign(item.key, *std::move(element));
            }
        }
    } else if (auto element = parse(node, secrets, problems)) {
        value = *std::move(element);
    }
    if (problems.empty()) target_ = std::move(value);
    return problems;
}

template <class T>
std::string BoundOption<T>::show() const {
    if constexpr (Shape<T>::arity == Arity::list) {
        std::vector<std::string> parts;
        for (const Element& element : target_) parts.push_back(shown(element));
        return fmt::format("{}", fmt::join(parts, ","));
    } else if constexpr (Shape<T>::arity == Arity::map) {
        std::vector<std::string> parts;
        for (const auto& [key, element] : target_) parts.push_back(key + '=' + shown(element));
        return fmt::format("{}", fmt::join(parts, ","));
    } else if constexpr (requires { target_.has_value(); }) {
        return target_ ? shown(*target_) : std::string{};
    } else {
        return shown(target_);
    }
}

template <class T>
std::string BoundOption<T>::shown(const Element& element) const {
    // Secret types mask themselves and may show a part, like a URL's host.
    std::string text = Type::show(element);
    return info.secret && !Type::secret && !text.empty() ? std::string{masked} : text;
}

template <class T>
auto BoundOption<T>::parse(
    const YamlNode& node, const SecretSources& secrets, std::vector<ValueProblem>& problems)
    -> std::optional<Element> {
    if (node.kind != YamlNode::Kind::scalar) {
        problems.push_back(wrong_shape(node, info));
        return std::nullopt;
    }
    auto element = parse_text(node.text, secrets);
    for (const auto& rule : checks_) {
        if (!element) break;
        if (auto ok = rule(*element); !ok) element = fail(std::move(ok.error()));
    }
    if (element) return *std::move(element);
    problems.push_back(bad_value(node, info, element.error()));
    return std::nullopt;
}

template <class T>
auto BoundOption<T>::parse_text(const std::string& text, const SecretSources& secrets) const
    -> Result<Element> {
    if (!info.secret) {
        auto parsed = Type::parse(text);
        // The types' own messages repeat the value; ours already shows it.
        return parsed ? std::move(parsed) : fail(Errc::invalid, {});
    }
    auto resolved = resolve_secret(text, secrets);
    if (!resolved) return fail(std::move(resolved.error()));
    auto parsed = Type::parse(resolved->reveal());
    return parsed ? std::move(parsed) : fail(Errc::invalid, {});
}

} // namespace hive
