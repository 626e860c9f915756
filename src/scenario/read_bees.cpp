#include "kernel/id.hpp"
#include "kernel/text.hpp"
#include "kernel/variable_name.hpp"
#include "kernel/yaml_json.hpp"
#include "scenario/config_shape.hpp"
#include "scenario/image.hpp"
#include "scenario/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace hive::scenario {
namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t bees_max = 2000; // as many as a controller takes
constexpr double replicas_max = 1000;

class BeeReader {
public:
    explicit BeeReader(Reading& reading) : reading_{reading}, report_{reading.report} {}

    void read(const YamlNode& list, const std::string& path) {
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            if (reading_.scenario.bees.size() == bees_max) {
                return report_.error(
                    {.code = "too-many",
                     .at = list.items[i].at,
                     .key = path,
                     .message = fmt::format("a scenario has at most {} bees", bees_max)});
            }
            read_bee(list.items[i], fmt::format("{}[{}]", path, i));
        }
    }

private:
    void read_bee(const YamlNode& node, const std::string& path) {
        Members bee{node, path, report_};
        if (node.kind != Kind::mapping) {
            if (node.kind == Kind::null) expect_kind(node, Kind::mapping, path, report_);
            return;
        }
        Bee out{.id = {}, .written = node};
        read_kind(bee, out);
        name(bee, out);
        bee.whole("replicas", {1, replicas_max}, out.replicas);
        read_work(bee, out);
        check_ports(bee, out);
        read_env(bee, out);
        if (const YamlNode* config = bee.take_mapping("config")) {
            out.config = shape_config(*config, bee.key("config"), report_);
        }
        if (const YamlNode* restart = bee.take_mapping("restart")) read_restart(*restart, bee, out);
        bee.ignore({"ui"}, "it is for an editor");
        bee.refuse_others();
        reading_.scenario.bees.push_back(std::move(out));
    }

    bool is_id(const Members& bee, std::string_view name, const std::string& text) {
        const auto ok = check_id(name, text);
        if (!ok) {
            report_.error(
                {.code = "bad-id",
                 .at = bee.node().find(name)->at,
                 .key = bee.key(name),
                 .message = ok.error().detail});
        }
        return ok.has_value();
    }

    void read_kind(Members& bee, Bee& out) {
        out.role = bee.text("role");
        if (!out.role.empty()) is_id(bee, "role", out.role);
        const std::string image = bee.text("image");
        out.kind = image.empty() ? out.role : kind_of_image(image);
        if (!image.empty() && !check_id("image", out.kind)) {
            report_.error(
                {.code = "bad-image",
                 .at = bee.node().find("image")->at,
                 .key = bee.key("image"),
                 .message = fmt::format("'{}' names no kind of bee", printable(image)),
                 .hint = "write it like generator:latest"});
        }
        if (out.role.empty()) out.role = out.kind;
        if (!out.role.empty()) return;
        report_.error(
            {.code = "missing-key",
             .at = bee.node().at,
             .key = bee.key("role"),
             .message = "a bee needs a role or an image",
             .hint = "add `role: generator`, or another kind of bee"});
    }

    // Its id, or its role, numbered when others have none either.
    void name(Members& bee, Bee& out) {
        const std::string id = bee.text("id");
        const std::string other = bee.text("beeId");
        out.id = id.empty() ? other : id;
        if (!out.id.empty()) {
            is_id(bee, id.empty() ? "beeId" : "id", out.id);
            if (!names_.insert(out.id).second)
                refuse_twin(bee, id.empty() ? "beeId" : "id", out.id);
            return;
        }
        out.id = out.role;
        if (!names_.insert(out.id).second) {
            // In the flat form the role is the bee's name; the older form repeats roles.
            if (!reading_.scenario.protocol_version.empty()) refuse_twin(bee, "role", out.role);
            for (int i = 2; names_.contains(out.id); ++i)
                out.id = fmt::format("{}-{}", out.role, i);
            names_.insert(out.id);
        }
    }

    void refuse_twin(const Members& bee, std::string_view key, const std::string& name) {
        const YamlNode* node = bee.node().find(key);
        report_.error(
            {.code = "duplicate-id",
             .at = node != nullptr ? node->at : bee.node().at,
             .key = bee.key(key),
             .message = fmt::format("two bees are called '{}'", printable(name)),
             .hint = "give each an id of its own, or use replicas"});
    }

    void read_work(Members& bee, Bee& out) {
        const YamlNode* node = bee.take_mapping("work");
        if (node == nullptr) return;
        Members work{*node, bee.key("work"), report_};
        read_side(work, "in", out.in);
        read_side(work, "out", out.out);
        work.refuse_others();
    }

    void read_side(Members& work, std::string_view side, std::vector<Port>& out) {
        const YamlNode* ports = work.take_mapping(side);
        if (ports == nullptr) return;
        for (const YamlNode& port : ports->items) {
            if (port.kind == Kind::null) continue; // a port that is not wired
            const std::string key = fmt::format("{}.{}", work.key(side), printable(port.key));
            if (!expect_kind(port, Kind::scalar, key, report_)) continue;
            if (const auto ok = check_id("queue", port.text); !ok) {
                report_.error(
                    {.code = "bad-id", .at = port.at, .key = key, .message = ok.error().detail});
                continue;
            }
            out.push_back({port.key, port.text, port.key_at});
        }
    }

    void check_ports(Members& bee, const Bee& out) {
        const YamlNode* list = bee.take_list("ports");
        if (list == nullptr) return;
        std::set<std::string> in;
        std::set<std::string> declared;
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            Members port{list->items[i], fmt::format("{}[{}]", bee.key("ports"), i), report_};
            const std::string id = port.required_text("id");
            const auto direction = port.word("direction", {"in", "out"});
            if (!direction && port.take("direction") == nullptr) port.required_text("direction");
            port.ignore({"type", "label"}, "it is for an editor");
            port.refuse_others();
            if (id.empty() || !direction) continue;
            check_port(port, id, *direction == 0 ? out.in : out.out);
            if (!declared.insert(fmt::format("{} {}", *direction, id)).second) {
                report_.error(
                    {.code = "duplicate-id",
                     .at = list->items[i].at,
                     .key = port.path(),
                     .message = fmt::format("port '{}' is declared twice", printable(id))});
            }
        }
        warn_undeclared(bee, out, declared);
    }

    void check_port(const Members& port, const std::string& id, const std::vector<Port>& wired) {
        if (std::ranges::find(wired, id, &Port::id) != wired.end()) return;
        report_.error(
            {.code = "port-without-queue",
             .at = port.node().at,
             .key = port.path(),
             .message = fmt::format("port '{}' has no queue", printable(id)),
             .hint = "name its queue under work, or remove the port"});
    }

    void
    warn_undeclared(const Members& bee, const Bee& out, const std::set<std::string>& declared) {
        for (const auto* side : {&out.in, &out.out}) {
            for (const Port& port : *side) {
                if (declared.contains(fmt::format("{} {}", side == &out.in ? 0 : 1, port.id))) {
                    continue;
                }
                report_.warning(
                    {.code = "port-not-declared",
                     .at = port.at,
                     .key = bee.key("ports"),
                     .message = fmt::format(
                         "port '{}' has a queue but is not among ports", printable(port.id)),
                     .hint = "add it to ports"});
            }
        }
    }

    void read_env(Members& bee, Bee& out) {
        const YamlNode* env = bee.take_mapping("env");
        if (env == nullptr || env->items.empty()) return;
        for (const YamlNode& each : env->items) {
            const std::string key = bee.key("env." + printable(each.key));
            if (!expect_kind(each, Kind::scalar, key, report_)) continue;
            const auto ok = check_variable_name(each.key);
            if (ok) {
                out.env.emplace(each.key, each.text);
                continue;
            }
            Finding finding{
                .code = "bad-value",
                .at = each.key_at,
                .key = key,
                .message = ok.error().detail,
                .hint = "call it by another name, or move it into the bee's config"};
            if (ok.error().code != Errc::denied) {
                report_.error(std::move(finding));
                continue;
            }
            // Public bundles have some of these, for programs that are not run here.
            finding.code = "ignored-key";
            report_.warning(std::move(finding));
        }
    }

    void read_restart(const YamlNode& node, const Members& bee, Bee& out) {
        Members restart{node, bee.key("restart"), report_};
        restart.word("policy", {"never", "on-failure"});
        restart.duration("backoff");
        std::uint32_t most = 0;
        restart.whole("max", {0, 1000}, most);
        restart.refuse_others();
        json::value value = to_json(node);
        out.restart = std::move(value.get_object());
    }

    Reading& reading_;
    Report& report_;
    std::set<std::string> names_{};
};

} // namespace

void read_bees(const YamlNode& list, const std::string& path, Reading& reading) {
    BeeReader{reading}.read(list, path);
}

} // namespace hive::scenario
