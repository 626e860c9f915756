#include "kernel/config_file.hpp"

#include "kernel/text.hpp"
#include "kernel/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace hive {
namespace {

// "port" of "http.port".
std::string_view last_word(std::string_view key) {
    return key.substr(key.rfind('.') + 1); // npos + 1 is 0
}

class FileReader {
public:
    FileReader(
        OptionTable& table, const SourceText& file, const SecretSources& secrets,
        std::vector<Finding>& findings)
        : table_{table}, file_{file}, secrets_{secrets}, findings_{findings} {}

    void read() {
        auto document = parse_yaml(file_.file, file_.text);
        std::ranges::move(document.findings, std::back_inserter(findings_));
        const YamlNode& root = document.root;
        if (root.kind == YamlNode::Kind::null) return; // an empty file sets nothing
        if (root.kind == YamlNode::Kind::mapping) {
            read_section(root, "");
        } else if (!has_errors(findings_)) {
            report(
                root.at,
                {.code = "wrong-type",
                 .message = fmt::format(
                     "the file is {}; expected sections like 'http:'", name_of(root.kind))});
        }
    }

private:
    void read_section(const YamlNode& section, const std::string& prefix) {
        for (const YamlNode& member : section.items) {
            const std::string path = prefix + member.key;
            if (Option* option = table_.find_key(path)) {
                read_option(*option, member);
            } else if (!is_section(path)) {
                report_unknown(member, path);
            } else if (member.kind == YamlNode::Kind::mapping) {
                read_section(member, path + '.');
            } else if (member.kind != YamlNode::Kind::null) {
                report(
                    member.at,
                    {.code = "wrong-type",
                     .key = path,
                     .message =
                         fmt::format("{} is {}; expected a section", path, name_of(member.kind)),
                     .hint = fmt::format("keys there: {}", fmt::join(words_under(path), ", "))});
            }
        }
    }

    void read_option(Option& option, const YamlNode& node) {
        const OptionInfo& info = option.info;
        if (option.source.kind == ValueSource::Kind::file) {
            report(
                node.key_at,
                {.code = "duplicate-key",
                 .key = info.key,
                 .message = fmt::format("{} is already set at {}", info.key, option.source.where),
                 .secret = info.secret});
            return;
        }
        if (node.kind == YamlNode::Kind::null) {
            report(
                node.key_at,
                {.code = "no-value",
                 .key = info.key,
                 .message = fmt::format("{} has no value; expected {}", info.key, info.expected),
                 .hint = "write one, or remove the line to use the default"});
            return;
        }
        const auto problems = option.read(node, secrets_);
        for (const ValueProblem& problem : problems) {
            report(
                problem.at,
                {.code = problem.code,
                 .key = info.key,
                 .message = fmt::format("{} is {}; {}", info.key, problem.shown, problem.reason),
                 .secret = info.secret});
        }
        if (problems.empty()) {
            option.source = {
                ValueSource::Kind::file,
                fmt::format("{}:{}:{}", file_.file, node.at.line, node.at.column)};
        }
    }

    void report_unknown(const YamlNode& member, const std::string& path) {
        Finding finding{
            .code = "unknown-key",
            .key = printable(path),
            .message = fmt::format("unknown key '{}'", printable(path))};
        if (const auto meant = suggestion_for(path)) {
            finding.hint = fmt::format("did you mean '{}'?", *meant);
            const Option* option = table_.find_key(*meant);
            finding.secret = option != nullptr && option->info.secret;
        }
        report(member.key_at, std::move(finding));
    }

    std::optional<std::string> suggestion_for(const std::string& path) const {
        std::vector<std::string_view> known;
        for (const auto& option : table_.options()) {
            const std::string_view key = option->info.key;
            if (key.empty()) continue;
            // A right key in the wrong section is a likelier slip than a misspelled one.
            if (last_word(key) == last_word(path)) return std::string{key};
            known.push_back(key);
            for (std::size_t dot = key.find('.'); dot != key.npos; dot = key.find('.', dot + 1)) {
                known.push_back(key.substr(0, dot));
            }
        }
        return nearest(path, known);
    }

    bool is_section(std::string_view path) const {
        return std::ranges::any_of(table_.options(), [&](const auto& option) {
            const std::string_view key = option->info.key;
            return key.size() > path.size() && key.starts_with(path) && key[path.size()] == '.';
        });
    }

    std::vector<std::string> words_under(std::string_view path) const {
        std::vector<std::string> words;
        for (const auto& option : table_.options()) {
            std::string_view key = option->info.key;
            if (!key.starts_with(path) || key.size() <= path.size()) continue;
            key.remove_prefix(path.size() + 1);
            std::string word{key.substr(0, key.find('.'))};
            if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
        }
        return words;
    }

    void report(Position at, Finding finding) {
        finding.file = file_.file;
        finding.at = at;
        findings_.push_back(std::move(finding));
    }

    OptionTable& table_;
    const SourceText& file_;
    const SecretSources& secrets_;
    std::vector<Finding>& findings_;
};

} // namespace

void load_file(
    OptionTable& table, const SourceText& file, const SecretSources& secrets,
    std::vector<Finding>& findings) {
    FileReader{table, file, secrets, findings}.read();
}

} // namespace hive
