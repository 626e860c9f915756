#include "cli/arguments.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace hive::cli {
namespace {

// "-5" and "-.5" are numbers, "-p" and "--port" are flags; "-" alone is a value by custom.
bool looks_like_flag(std::string_view text) {
    if (text.size() < 2 || text[0] != '-') return false;
    return text[1] != '.' && (text[1] < '0' || text[1] > '9');
}

class Parser {
public:
    Parser(const Command& root, std::span<const std::string> args) : args_{args} {
        parsed_.command = &root;
        parsed_.path = root.text.name;
    }

    Arguments parse() {
        while (next_ < args_.size() && !stopped_) {
            const std::string& word = args_[next_++];
            if (only_positionals_ || !looks_like_flag(word)) {
                take_word(word);
            } else if (word == "--") {
                only_positionals_ = true;
            } else if (word.starts_with("--")) {
                take_long(word);
            } else {
                take_letters(word);
            }
        }
        return std::move(parsed_);
    }

private:
    const OptionTable& options() const { return parsed_.command->options; }

    void take_word(const std::string& word) {
        if (parsed_.command->children.empty()) {
            parsed_.positionals.push_back(word);
            return;
        }
        if (const Command* child = parsed_.command->find(word)) {
            parsed_.command = child;
            parsed_.path += ' ' + child->text.name;
            return;
        }
        std::vector<std::string_view> names;
        for (const Command& child : parsed_.command->children) names.push_back(child.text.name);
        const auto meant = nearest(word, names);
        report(
            "unknown-command",
            fmt::format("'{}' is not a command of {}", printable(word), parsed_.path),
            meant ? fmt::format("did you mean '{} {}'?", parsed_.path, *meant) : std::string{});
        stopped_ = true; // what follows belongs to a command we do not know
    }

    void take_long(std::string_view word) {
        const std::size_t equals = word.find('=');
        const std::string spelled{word.substr(0, equals)};
        const std::string name = spelled.substr(2);
        std::optional<std::string> value;
        if (equals != word.npos) value = std::string{word.substr(equals + 1)};

        if (name == "help" && !value) {
            parsed_.help = true;
        } else if (name == "version" && !value && parsed_.positionals.empty()) {
            parsed_.version = true;
        } else if (const Option* option = options().find_flag(name)) {
            take_value(option->info, spelled, std::move(value));
        } else if (const Option* toggle = negated(name); toggle != nullptr && !value) {
            parsed_.flags.push_back({toggle->info.flag, "false", spelled});
        } else {
            report_unknown(spelled);
        }
    }

    void take_letters(std::string_view word) {
        for (std::size_t i = 1; i < word.size(); ++i) {
            const std::string spelled{'-', word[i]};
            const Option* option = options().find_letter(word[i]);
            if (option == nullptr) {
                if (word[i] == 'h') {
                    parsed_.help = true;
                    continue;
                }
                report_unknown(spelled);
                return;
            }
            const bool last = i + 1 == word.size();
            if (option->info.arity != Arity::toggle) {
                std::optional<std::string> rest;
                if (!last) rest = std::string{word.substr(i + 1)};
                take_value(option->info, spelled, std::move(rest));
                return;
            }
            take_value(option->info, spelled, std::nullopt);
        }
    }

    void take_value(
        const OptionInfo& info, const std::string& spelled, std::optional<std::string> value) {
        if (!value && info.arity == Arity::toggle) value = "true";
        if (!value && next_ < args_.size() && !looks_like_flag(args_[next_])) {
            value = args_[next_++];
        }
        if (!value) {
            report(
                "no-value",
                fmt::format("{} needs a value: {} {}", spelled, spelled, info.value_name),
                fmt::format("if the value starts with '-', write --{}=VALUE", info.flag));
            return;
        }
        parsed_.flags.push_back({info.flag, *std::move(value), spelled});
    }

    const Option* negated(std::string_view name) const {
        if (!name.starts_with("no-")) return nullptr;
        const Option* option = options().find_flag(name.substr(3));
        return option != nullptr && option->info.arity == Arity::toggle ? option : nullptr;
    }

    void report_unknown(const std::string& spelled) {
        std::vector<std::string> known{"--help"};
        if (parsed_.path.find(' ') == std::string::npos) known.emplace_back("--version");
        for (const auto& option : options().options()) {
            if (!option->info.flag.empty()) known.push_back("--" + option->info.flag);
        }
        const std::vector<std::string_view> views{known.begin(), known.end()};
        const auto meant = spelled.starts_with("--") ? nearest(spelled, views) : std::nullopt;
        report(
            "unknown-flag", fmt::format("{} has no flag {}", parsed_.path, printable(spelled)),
            meant ? fmt::format("did you mean {}?", *meant)
                  : fmt::format("'{} --help' lists its flags", parsed_.path));
    }

    void report(std::string code, std::string message, std::string hint) {
        parsed_.findings.push_back(
            {.code = std::move(code), .message = std::move(message), .hint = std::move(hint)});
    }

    std::span<const std::string> args_;
    std::size_t next_ = 0;
    bool only_positionals_ = false;
    bool stopped_ = false;
    Arguments parsed_{};
};

} // namespace

Arguments parse_arguments(const Command& root, std::span<const std::string> args) {
    return Parser{root, args}.parse();
}

} // namespace hive::cli
