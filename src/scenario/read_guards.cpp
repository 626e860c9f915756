#include "guard/settings.hpp"
#include "kernel/duration.hpp"
#include "kernel/text.hpp"
#include "kernel/yaml_json.hpp"
#include "scenario/places.hpp"
#include "scenario/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace hive::scenario {
namespace {

// What is written without a value is not written.
void drop_nulls(json::object& object) {
    std::vector<std::string> empty;
    for (auto& [name, value] : object) {
        if (value.is_null()) empty.emplace_back(name);
        if (auto* inner = value.if_object()) drop_nulls(*inner);
    }
    for (const std::string& name : empty) object.erase(name);
}

// Findings of the guard's own field table, which says what is wrong and at which path.
class GuardFinding {
public:
    GuardFinding(const YamlNode& node, std::string path) : node_{node}, path_{std::move(path)} {}

    Finding of(const FieldProblem& problem) const {
        std::string_view path = problem.path;
        path.remove_prefix(std::min(path_.size() + 1, path.size()));
        const YamlNode* written = node_at(node_, path);
        if (written != nullptr && written->kind == YamlNode::Kind::null) written = nullptr;
        const bool is_rule = path.empty() || (written != nullptr && is_group(path) &&
                                              written->kind == YamlNode::Kind::mapping);
        if (is_rule) return of_rule(path, problem);
        const bool unknown = problem.code == "unknown-key";
        Finding finding{
            .code = problem.code,
            .at = written == nullptr || unknown ? place_in_config(node_, path) : written->at,
            .key = problem.path,
            .message = problem.message,
            .hint = problem.hint};
        if (unknown) return finding;
        if (written == nullptr) {
            finding.hint = fmt::format("add `{}: ...`", path.substr(path.rfind('.') + 1));
        } else if (written->kind != YamlNode::Kind::scalar || is_group(path)) {
            finding.code = "wrong-type";
        } else if (problem.code == "bad-value" && is_duration(path)) {
            finding.code = duration_code(path, *written);
        }
        return finding;
    }

private:
    static bool is_group(std::string_view path) {
        return path == "adjust" || path == "prefill" || path == "backpressure";
    }
    static bool is_duration(std::string_view path) {
        static const auto fields = fields_of<guard::Settings>();
        const auto found = std::ranges::find(fields, path, &FieldInfo::path);
        return found != fields.end() && found->type == "duration";
    }
    static std::string duration_code(std::string_view path, const YamlNode& written) {
        if (!to_json(written).is_number() && !parse_duration(written.text)) return "bad-duration";
        return path == "samplePeriod" ? "guard-period" : "bad-value";
    }

    // Its message begins with the field that it is about, and names the others.
    Finding of_rule(std::string_view group, const FieldProblem& problem) const {
        static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> codes{
            {{"minDepth", "guard-bracket"},
             {"targetDepth", "guard-target"},
             {"minRatePerSec", "guard-bounds"},
             {"recoveryDepth", "guard-bounds"},
             {"backpressure.queueAlias", "guard-alias"}}};
        const std::string_view message = problem.message;
        const std::string_view field = message.substr(0, message.find(' '));
        const auto code =
            std::ranges::find(codes, field, &std::pair<std::string_view, std::string_view>::first);
        return {
            .code = std::string{code != codes.end() ? code->second : problem.code},
            .at = place_of_words(group, message),
            .key = below(problem.path, field),
            .message = problem.message,
            .hint = problem.hint};
    }

    // The first of them that is written; others have their defaults.
    Position place_of_words(std::string_view group, std::string_view message) const {
        while (!message.empty()) {
            const auto end = std::min(message.find(' '), message.size());
            const std::string_view word = message.substr(0, end);
            const YamlNode* node = node_at(node_, below(group, word));
            if (node != nullptr && !word.empty()) return node->at;
            message.remove_prefix(std::min(end + 1, message.size()));
        }
        return place_in_config(node_, group);
    }

    const YamlNode& node_;
    std::string path_;
};

class GuardReader {
public:
    explicit GuardReader(Reading& reading) : reading_{reading}, report_{reading.report} {
        for (const Bee& bee : reading.scenario.bees) {
            for (const Port& port : bee.in) queues_.insert(port.queue);
            for (const Port& port : bee.out) queues_.insert(port.queue);
        }
    }

    void read(const YamlNode& node, const std::string& path) {
        if (!expect_kind(node, YamlNode::Kind::mapping, path, report_)) return;
        json::value text = to_json(node);
        drop_nulls(text.get_object());
        const GuardFinding findings{node, path};
        for (const FieldProblem& problem : problems_of<guard::Settings>(text.get_object(), path)) {
            report_.error(findings.of(problem));
        }
        check_queue(node, path, "backpressure.queueAlias");
        if (!check_queue(node, path, "queueAlias")) return;
        // With a mistake in its settings it is still known whom it would steer.
        auto settings = hive::bind<guard::Settings>(text.get_object(), path);
        Guard guard{settings ? *std::move(settings) : guard::Settings{}};
        guard.queue = node_at(node, "queueAlias")->text;
        guard.key = path;
        guard.queue_at = place_in_config(node, "queueAlias");
        reading_.scenario.guards.push_back(std::move(guard));
    }

private:
    bool check_queue(const YamlNode& node, const std::string& path, std::string_view field) {
        const YamlNode* alias = node_at(node, field);
        if (alias == nullptr || alias->kind != YamlNode::Kind::scalar || alias->text.empty()) {
            return false; // told already, or there is none
        }
        if (queues_.contains(alias->text)) return true;
        const std::vector<std::string_view> names{queues_.begin(), queues_.end()};
        const auto meant = nearest(alias->text, names);
        report_.error(
            {.code = "guard-alias",
             .at = alias->at,
             .key = below(path, field),
             .message = fmt::format("no bee has a queue '{}'", printable(alias->text)),
             .hint = meant ? fmt::format("did you mean '{}'?", *meant)
                           : "name a queue from work of a bee"});
        return false;
    }

    Reading& reading_;
    Report& report_;
    std::set<std::string_view> queues_{};
};

} // namespace

void read_guards(const YamlNode& policy, Reading& reading) {
    Members members{policy, "trafficPolicy", reading.report};
    GuardReader reader{reading};
    if (const YamlNode* one = members.take_mapping("bufferGuard")) {
        reader.read(*one, "trafficPolicy.bufferGuard");
    }
    if (const YamlNode* list = members.take_list("bufferGuards")) {
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            reader.read(list->items[i], fmt::format("trafficPolicy.bufferGuards[{}]", i));
        }
    }
    members.refuse_others();
}

} // namespace hive::scenario
