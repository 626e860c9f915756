#include "scenario/load.hpp"

#include "kernel/id.hpp"
#include "kernel/text.hpp"
#include "scenario/codes.hpp"
#include "scenario/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

namespace hive::scenario {
namespace {

constexpr std::size_t thresholds_max = 200;

class Loader {
public:
    explicit Loader(Loaded& loaded)
        : loaded_{loaded}, report_{loaded.scenario.file, loaded.findings},
          reading_{loaded.bundle, loaded.scenario, loaded.findings, report_} {}

    void read(std::string_view text) {
        const YamlDocument document = parse(report_.file(), text);
        if (has_errors(document.findings)) return;
        if (!expect_kind(document.root, YamlNode::Kind::mapping, "scenario", report_)) return;
        Members members{document.root, "", report_};
        read_head(members);
        read_suts(members);
        read_all_variables(members);
        read_template(members);
        if (const YamlNode* topology = members.take_mapping("topology")) {
            read_topology(*topology, reading_);
        }
        if (const YamlNode* queues = members.take_mapping("queues")) {
            read_queues(*queues, "queues", reading_);
        }
        if (const YamlNode* list = members.take_list("thresholds")) {
            read_thresholds(*list, reading_);
        }
        if (const YamlNode* plan = members.take_mapping("plan")) read_plan(*plan, reading_);
        if (const YamlNode* policy = members.take_mapping("trafficPolicy")) {
            read_guards(*policy, reading_);
        }
        members.ignore({"ui", "tags", "defaults"}, "it is for an editor");
        members.refuse_others();
        check_flow(reading_);
    }

private:
    YamlDocument parse(const std::string& file, std::string_view text) {
        YamlDocument document = parse_yaml(file, text);
        loaded_.findings.insert(
            loaded_.findings.end(), document.findings.begin(), document.findings.end());
        return document;
    }

    void read_head(Members& members) {
        Scenario& scenario = loaded_.scenario;
        scenario.id = members.required_text("id");
        if (const auto ok = check_id("id", scenario.id); !scenario.id.empty() && !ok) {
            report_.error(
                {.code = "bad-id",
                 .at = members.take("id")->at,
                 .key = "id",
                 .message = ok.error().detail});
        }
        scenario.name = members.text("name");
        if (scenario.name.empty()) scenario.name = scenario.id;
        scenario.description = members.text("description");
        scenario.protocol_version = members.text("protocolVersion");
        if (scenario.protocol_version.empty() || scenario.protocol_version.starts_with("2.")) {
            return;
        }
        report_.error(
            {.code = "bad-version",
             .at = members.take("protocolVersion")->at,
             .key = "protocolVersion",
             .message = fmt::format("'{}' is not known", printable(scenario.protocol_version)),
             .hint = "write \"2.0.0\", or leave it out"});
    }

    // `template.bees`, or `bees` for short.
    void read_template(Members& members) {
        const YamlNode* bees = members.take_list("bees");
        std::string path = "bees";
        if (const YamlNode* node = members.take_mapping("template")) {
            Members whole{*node, "template", report_};
            whole.text("image"); // of the controller: there is one
            if (const YamlNode* list = whole.take_list("bees")) {
                bees = list;
                path = "template.bees";
            }
            whole.refuse_others();
        }
        if (bees == nullptr || bees->items.empty()) {
            return report_.error(
                {.code = "no-bees",
                 .at = bees != nullptr ? bees->at : members.node().at,
                 .key = path,
                 .message = "a scenario needs at least one bee",
                 .hint = "add `bees:` with a list of them"});
        }
        read_bees(*bees, path, reading_);
    }

    void read_suts(Members& members) {
        if (const YamlNode* suts = members.take_mapping("suts")) {
            for (const YamlNode& each : suts->items) {
                Sut sut{.id = each.key, .file = report_.file()};
                read_sut(each, below("suts", printable(each.key)), sut, report_);
                loaded_.scenario.suts.emplace(each.key, std::move(sut));
            }
        }
        for (const auto& [path, text] : loaded_.bundle.texts) {
            const auto slash = path.find('/', 4);
            if (!path.starts_with("sut/") || slash == path.npos) continue;
            if (path.substr(slash) != "/sut.yaml" && path.substr(slash) != "/sut.yml") continue;
            Sut sut{.id = path.substr(4, slash - 4), .file = loaded_.bundle.name_of(path)};
            Report report{sut.file, loaded_.findings};
            const YamlDocument document = parse(sut.file, text);
            if (has_errors(document.findings)) continue;
            read_sut(document.root, "", sut, report);
            loaded_.scenario.suts.emplace(sut.id, sut);
        }
    }

    void read_all_variables(Members& members) {
        if (const YamlNode* inside = members.take_mapping("variables")) {
            return read_variables(*inside, "variables", reading_, report_);
        }
        const auto found = loaded_.bundle.texts.find("variables.yaml");
        if (found == loaded_.bundle.texts.end() || loaded_.bundle.root.empty()) return;
        Report report{loaded_.bundle.name_of("variables.yaml"), loaded_.findings};
        const YamlDocument document = parse(report.file(), found->second);
        if (has_errors(document.findings)) return;
        read_variables(document.root, "", reading_, report);
    }

    Loaded& loaded_;
    Report report_;
    Reading reading_;
};

// `column 5: expected ...` says where in the text.
Position place_of_problem(const YamlNode& node, std::string_view detail) {
    constexpr std::string_view word = "column ";
    std::size_t column = 0;
    if (detail.starts_with(word)) {
        std::from_chars(detail.data() + word.size(), detail.data() + detail.size(), column);
    }
    if (column == 0) return node.at;
    return {node.at.line, node.at.column + column - 1 + (node.quoted ? 1 : 0)};
}

} // namespace

void read_thresholds(const YamlNode& list, Reading& reading) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        const YamlNode& node = list.items[i];
        const std::string key = fmt::format("thresholds[{}]", i);
        if (i == thresholds_max) {
            return reading.report.error(
                {.code = "too-many",
                 .at = node.at,
                 .key = key,
                 .message = fmt::format("at most {} thresholds", thresholds_max)});
        }
        if (!expect_kind(node, YamlNode::Kind::scalar, key, reading.report)) continue;
        auto parsed = telemetry::parse_threshold(node.text);
        if (parsed) {
            reading.scenario.thresholds.push_back(*std::move(parsed));
            continue;
        }
        reading.report.error(
            {.code = "bad-threshold",
             .at = place_of_problem(node, parsed.error().detail),
             .key = key,
             .message = parsed.error().detail,
             .hint = "write for example p99 < 50ms, error_rate < 0.1% or rate > 4900/s"});
    }
}

const Bee* Scenario::find_bee(std::string_view bee) const noexcept {
    const auto found = std::ranges::find(bees, bee, &Bee::id);
    return found == bees.end() ? nullptr : &*found;
}

void sort_by_place(std::vector<Finding>& findings) {
    std::ranges::sort(findings, {}, [](const Finding& finding) {
        return std::tie(
            finding.file, finding.at.line, finding.at.column, finding.code, finding.key,
            finding.message);
    });
}

Loaded load(const std::string& path) {
    return load(read_bundle(path));
}

Loaded load(Bundle bundle) {
    Loaded loaded;
    loaded.findings = bundle.findings;
    loaded.bundle = std::move(bundle);
    loaded.scenario.root = loaded.bundle.root;
    loaded.scenario.file = loaded.bundle.name_of(loaded.bundle.main);
    const auto text = loaded.bundle.texts.find(loaded.bundle.main);
    if (text != loaded.bundle.texts.end()) {
        Loader{loaded}.read(text->second);
        complete(loaded.findings, loaded.scenario.file);
    } else {
        complete(loaded.findings, ""); // there is no place in what is not there
    }
    sort_by_place(loaded.findings);
    return loaded;
}

} // namespace hive::scenario
