#include "kernel/config_load.hpp"

#include "kernel/config_file.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace hive {
namespace {

YamlNode scalar(std::string_view text) {
    return {.kind = YamlNode::Kind::scalar, .text = std::string{text}};
}

// `NAME=VALUE`; empty without the '='.
std::optional<YamlNode> named_scalar(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos || equals == 0) return std::nullopt;
    YamlNode node = scalar(text.substr(equals + 1));
    node.key = std::string{text.substr(0, equals)};
    return node;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t at = text.find(separator);
        parts.emplace_back(text.substr(0, at));
        if (at == text.npos) return parts;
        text.remove_prefix(at + 1);
    }
}

class Loader {
public:
    Loader(OptionTable& table, const ConfigSources& sources) : table_{table}, sources_{sources} {}

    std::vector<Finding> load() {
        for (const auto& option : table_.options()) option->source = {};
        if (sources_.file) {
            load_file(table_, *sources_.file, sources_.secrets, findings_);
        }
        for (const auto& option : table_.options()) {
            read_env(*option);
            read_flags(*option);
        }
        read_positionals();
        for (const auto& option : table_.options()) check_required(*option);
        return std::move(findings_);
    }

private:
    void read_env(Option& option) {
        if (option.info.env.empty() || !sources_.env) return;
        const auto text = sources_.env(option.info.env);
        if (!text || text->empty()) return;
        const bool many = option.info.arity == Arity::list || option.info.arity == Arity::map;
        read_texts(
            option, many ? split(*text, ',') : std::vector{*text},
            {ValueSource::Kind::env, option.info.env});
    }

    void read_flags(Option& option) {
        std::vector<std::string> texts;
        std::string spelled;
        for (const GivenFlag& given : sources_.flags) {
            if (option.info.flag.empty() || given.flag != option.info.flag) continue;
            texts.push_back(given.text);
            spelled = given.spelled;
        }
        if (texts.empty()) return;
        const bool single = option.info.arity == Arity::one || option.info.arity == Arity::toggle;
        if (single && texts.size() > 1) {
            findings_.push_back(
                {.code = "repeated",
                 .origin = spelled,
                 .key = option.info.name(),
                 .message =
                     fmt::format("{} is given {} times; once is enough", spelled, texts.size())});
            return;
        }
        read_texts(option, texts, {ValueSource::Kind::flag, spelled});
    }

    void read_positionals() {
        std::size_t next = 0;
        const auto& given = sources_.positionals;
        for (const auto& option : table_.options()) {
            if (option->info.positional.empty() || next == given.size()) continue;
            const auto first = given.begin() + static_cast<std::ptrdiff_t>(next);
            const auto last = option->info.arity == Arity::list ? given.end() : first + 1;
            next = static_cast<std::size_t>(last - given.begin());
            read_texts(*option, {first, last}, {ValueSource::Kind::flag, option->info.positional});
        }
        if (next < given.size()) {
            findings_.push_back(
                {.code = "unexpected-argument",
                 .message = fmt::format("unexpected argument '{}'", printable(given[next]))});
        }
    }

    // Values from the command line and the environment become nodes, so that each type is read by
    // one piece of code wherever its value comes from.
    void read_texts(Option& option, const std::vector<std::string>& texts, ValueSource source) {
        YamlNode node;
        switch (option.info.arity) {
        case Arity::toggle:
        case Arity::one: node = scalar(texts.front()); break;
        case Arity::list:
            node.kind = YamlNode::Kind::sequence;
            for (const auto& text : texts) node.items.push_back(scalar(text));
            break;
        case Arity::map:
            node.kind = YamlNode::Kind::mapping;
            for (const auto& text : texts) {
                auto named = named_scalar(text);
                if (!named) {
                    report(
                        option.info, source.where,
                        {.code = "bad-value",
                         .shown = fmt::format(
                             "'{}'", option.info.secret ? std::string{masked} : printable(text)),
                         .reason = "expected NAME=VALUE"});
                    return;
                }
                node.items.push_back(*std::move(named));
            }
            break;
        }
        const auto problems = option.read(node, sources_.secrets);
        for (const ValueProblem& problem : problems) report(option.info, source.where, problem);
        if (problems.empty()) option.source = std::move(source);
    }

    void report(const OptionInfo& info, const std::string& origin, const ValueProblem& problem) {
        findings_.push_back(
            {.code = problem.code,
             .origin = origin,
             .key = info.name(),
             .message = fmt::format("{} is {}; {}", origin, problem.shown, problem.reason),
             .secret = info.secret});
    }

    void check_required(const Option& option) {
        if (!option.info.required || option.source.kind != ValueSource::Kind::fallback) return;
        const OptionInfo& info = option.info;
        const bool reported =
            std::ranges::any_of(findings_, [&](const Finding& f) { return f.key == info.name(); });
        if (reported) return;
        std::string ways;
        if (!info.flag.empty()) ways = fmt::format("give --{}", info.flag);
        if (!info.env.empty()) ways += fmt::format(", set {}", info.env);
        if (!info.key.empty()) ways += fmt::format(", or put {} into the config file", info.key);
        findings_.push_back(
            {.code = "missing",
             .key = info.name(),
             .message = fmt::format("{} is missing", info.name()),
             .hint = ways});
    }

    OptionTable& table_;
    const ConfigSources& sources_;
    std::vector<Finding> findings_{};
};

} // namespace

std::vector<Finding> load_config(OptionTable& table, const ConfigSources& sources) {
    return Loader{table, sources}.load();
}

std::vector<Explanation> explain(const OptionTable& table) {
    std::vector<Explanation> lines;
    for (const auto& option : table.options()) {
        lines.push_back({option->info.name(), option->show(), option->source.where});
    }
    return lines;
}

} // namespace hive
