#include "kernel/text.hpp"
#include "scenario/checks.hpp"
#include "scenario/files.hpp"
#include "scenario/members.hpp"
#include "scenario/places.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hive::scenario {
namespace {

const YamlNode& config_of(const Bee& bee) {
    const YamlNode* config = bee.written.find("config");
    return config != nullptr ? *config : bee.written;
}

class BeeChecker {
public:
    BeeChecker(const Bee& bee, Checking& checking)
        : bee_{bee}, checking_{checking}, capability_{capability_of(bee, checking.catalog)},
          path_{path_of_config(bee)} {}

    json::object check() {
        if (capability_ == nullptr && !checking_.catalog.empty()) refuse_kind();
        if (!checking_.values.vars.empty() && bee_.config.contains("vars")) warn_vars();
        json::value whole = bee_.config;
        put_in(whole);
        json::object& config = whole.get_object();
        for (const FileSetting& setting : file_settings()) check_file(config, setting);
        check_templates(bee_, config, checking_);
        if (capability_ != nullptr && capability_->problems) look_closely(config);
        return std::move(config);
    }

private:
    Position place(std::string_view path) const { return place_in_config(config_of(bee_), path); }

    void refuse_kind() {
        std::vector<std::string_view> known;
        for (const auto& [role, capability] : checking_.catalog) known.push_back(role);
        const auto meant = nearest(bee_.kind, known);
        const YamlNode* image = bee_.written.find("image");
        const YamlNode* role = bee_.written.find("role");
        const YamlNode* node = image != nullptr ? image : role;
        checking_.report.error(
            {.code = "unknown-role",
             .at = node != nullptr ? node->at : bee_.written.at,
             .key = bee_.id,
             .message = fmt::format("there is no bee of the kind '{}'", printable(bee_.kind)),
             .hint = meant ? fmt::format("did you mean '{}'?", *meant)
                           : fmt::format("there are {}", fmt::join(known, ", "))});
    }

    void warn_vars() {
        checking_.report.warning(
            {.code = "vars-hidden",
             .at = place("vars"),
             .key = below(path_, "vars"),
             .message = "hides the variables of the scenario from this bee",
             .hint = "define them in variables.yaml instead"});
    }

    void put_in(json::value& whole) {
        const IsTemplate is_template = [this](const std::string& path) {
            const FieldInfo* field =
                capability_ != nullptr ? find_field(*capability_, path) : nullptr;
            return field != nullptr && field->is_template;
        };
        const TellUnknown unknown = [&](const std::string& path, const Reference& reference) {
            // Those of templates are looked at with the templates.
            if (is_template(path) && reference.kind == Reference::Kind::variable) return;
            unresolved_.insert(path);
            tell(path, reference);
        };
        resolve(whole, "", {checking_.values, is_template, unknown});
    }

    void tell(const std::string& path, const Reference& reference) {
        const auto& suts = checking_.loaded.scenario.suts;
        Finding finding{.at = place(path), .key = below(path_, path)};
        if (reference.kind == Reference::Kind::variable) {
            finding.code = "unknown-variable";
            finding.message =
                fmt::format("variable '{}' is not defined", printable(reference.name));
            finding.hint = "define it in variables.yaml";
        } else if (suts.empty()) {
            finding.code = "no-sut";
            finding.message = fmt::format(
                "endpoint '{}' is of a system that the bundle does not describe",
                printable(reference.name));
            finding.hint = "add sut/<id>/sut.yaml, or give the URL of the endpoint when you run it";
            return checking_.report.warning(std::move(finding));
        } else {
            finding.code = "unknown-endpoint";
            finding.message = fmt::format(
                "the system under test has no endpoint '{}' with {}", printable(reference.name),
                printable(reference.member));
            finding.hint = "see endpoints in sut/<id>/sut.yaml";
        }
        checking_.report.error(std::move(finding));
    }

    void check_file(json::object& config, const FileSetting& setting) {
        json::string* text = text_at(config, setting.path);
        if (text == nullptr || text->empty()) return;
        const auto path = path_within(*text);
        const Bundle& bundle = checking_.loaded.bundle;
        Finding finding{.at = place(setting.path), .key = below(path_, setting.path)};
        if (!path) {
            finding.code = "outside-bundle";
            finding.message = path.error().detail;
        } else if (bundle.root.empty()) {
            finding.code = "needs-bundle";
            finding.message = "a single file has no files beside it";
            finding.hint = "make it a folder with scenario.yaml in it";
        } else if (
            setting.is_folder ? *path != "." && !bundle.has_folder(*path)
                              : !bundle.sizes.contains(*path)) {
            finding.code = "missing-file";
            finding.message = fmt::format("the bundle has no {}", printable(*path));
        } else {
            *text = fmt::format("{}/{}", bundle.root, *path);
            if (setting.is_folder && !check_calls(*path, checking_)) quiet_ = true;
            return;
        }
        quiet_ = true; // the bee would say the same about the machine
        checking_.report.error(std::move(finding));
    }

    // What the bee itself says. Whatever has been told already is not told again.
    void look_closely(json::object& config) {
        json::object looked_at = config;
        for (const std::string& path : unresolved_) {
            json::string* text = text_at(looked_at, path);
            if (text != nullptr) *text = stand_in(*text);
        }
        for (const FieldProblem& problem : capability_->problems(looked_at)) {
            std::string_view path = problem.path;
            if (path == "config") path = "";
            if (path.starts_with("config.")) path.remove_prefix(7);
            if (unresolved_.contains(std::string{path})) continue;
            if (path.empty() && (quiet_ || !unresolved_.empty())) continue;
            path = path.empty() ? named_in(problem.message) : path;
            checking_.report.error(
                {.code = problem.code,
                 .at = place(path),
                 .key = path.empty() ? path_ : below(path_, path),
                 .message = problem.message,
                 .hint = problem.hint});
        }
    }

    // `message.body: ...` or `config.baseUrl: ...` says where, if that is written.
    std::string_view named_in(std::string_view message) const {
        std::string_view path = message.substr(0, std::min(message.find(':'), message.size()));
        if (path.starts_with("config.")) path.remove_prefix(7);
        return node_at(config_of(bee_), path) != nullptr ? path : std::string_view{};
    }

    // A system that is not known yet has an address all the same.
    static std::string stand_in(std::string_view text) {
        std::string out{text};
        for (auto found = references_in(out); !found.empty(); found = references_in(out)) {
            const Reference& last = found.back();
            out.replace(last.begin, last.end - last.begin, "http://sut.invalid");
        }
        return out;
    }

    const Bee& bee_;
    Checking& checking_;
    const Capability* capability_;
    std::string path_;
    std::set<std::string> unresolved_{};
    bool quiet_ = false;
};

} // namespace

const Capability* capability_of(const Bee& bee, const Catalog& catalog) {
    const auto found = catalog.find(bee.kind);
    return found == catalog.end() ? nullptr : &found->second;
}

std::string path_of_config(const Bee& bee) {
    return fmt::format("{}.config", bee.id);
}

json::object check_bee(const Bee& bee, Checking& checking) {
    return BeeChecker{bee, checking}.check();
}

} // namespace hive::scenario
