#include "cli/exit_code.hpp"
#include "cli/scenario_catalog.hpp"
#include "cli/scenario_commands.hpp"
#include "kernel/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace hive::cli {
namespace {

struct ScenarioReferenceOptions {};

void declare_scenario_reference(OptionTable& /*table*/, ScenarioReferenceOptions& /*options*/) {}

std::string escaped(std::string_view text, std::string_view special) {
    std::string out;
    for (const char c : text) {
        if (special.find(c) != special.npos) out += '\\';
        out += c;
    }
    return out;
}

// A bar would end the cell, and <name> would be taken for HTML.
std::string code(std::string_view text) {
    return fmt::format("`{}`", escaped(text, "|"));
}
std::string prose(std::string_view text) {
    return escaped(text, "|<");
}

std::string fallback_text(const FieldInfo& field) {
    if (field.required) return "required";
    if (field.fallback.is_null()) return "";
    return code(to_text(field.fallback));
}

std::string allowed_text(const FieldInfo& field) {
    if (field.type == "boolean") return "";
    std::string out;
    for (const std::string& choice : field.choices) {
        out += (out.empty() ? "" : ", ") + code(choice);
    }
    if (field.lowest && field.highest) {
        out += fmt::format("{} to {}", *field.lowest, *field.highest);
    } else if (field.lowest) {
        out += fmt::format("at least {}", *field.lowest);
    } else if (field.highest) {
        out += fmt::format("at most {}", *field.highest);
    }
    return out;
}

std::string row_of(const FieldInfo& field) {
    const bool is_template = field.is_template && field.help.find("emplate") == std::string::npos;
    return fmt::format(
        "| {} | {} | {} | {} | {} | {} | {}{} |\n", code(field.path), field.type,
        fallback_text(field), allowed_text(field), field.unit, field.live ? "yes" : "no",
        prose(field.help), is_template ? "; a template" : "");
}

std::string table_of(const std::vector<FieldInfo>& fields) {
    std::string out = "| setting | type | default | allowed | unit | live | what it is |\n"
                      "|---|---|---|---|---|---|---|\n";
    for (const FieldInfo& field : fields) out += row_of(field);
    return out;
}

bool has_row(const std::vector<FieldInfo>& fields, const std::string& row) {
    return std::ranges::any_of(fields, [&](const FieldInfo& each) { return row_of(each) == row; });
}

// What every bee can be told, in the same words.
std::vector<FieldInfo> shared_fields(const scenario::Catalog& catalog) {
    std::vector<FieldInfo> shared =
        catalog.empty() ? std::vector<FieldInfo>{} : catalog.begin()->second.fields;
    for (const auto& [role, capability] : catalog) {
        std::erase_if(shared, [&](const FieldInfo& each) {
            return !has_row(capability.fields, row_of(each));
        });
    }
    return shared;
}

std::string reference_text(const scenario::Catalog& catalog) {
    const std::vector<FieldInfo> shared = shared_fields(catalog);
    std::map<std::string, std::string> roles_by_table; // two roles may be one bee
    for (const auto& [role, capability] : catalog) {
        std::vector<FieldInfo> own = capability.fields;
        std::erase_if(own, [&](const FieldInfo& each) { return has_row(shared, row_of(each)); });
        std::string& roles = roles_by_table[own.empty() ? "" : table_of(own)];
        roles += (roles.empty() ? "" : ", ") + role;
    }
    std::map<std::string, std::string> tables_by_roles;
    for (const auto& [table, roles] : roles_by_table) tables_by_roles[roles] = table;
    std::string out = "# Settings of bees\n\n"
                      "What may stand under `config` of a bee, as `hive scenario reference` prints "
                      "it. `[]` is any\n"
                      "element of a list and `{}` any name. What is live may change while a bee "
                      "works: by a step of\n"
                      "a plan, or by `hive swarm config`.\n\n## Every bee\n\n" +
                      table_of(shared);
    for (const auto& [roles, table] : tables_by_roles) {
        out += fmt::format(
            "\n## {}\n\n{}", roles, table.empty() ? "Nothing beside what every bee has.\n" : table);
    }
    return out;
}

int run_scenario_reference(ScenarioReferenceOptions& /*options*/, Call& call) {
    call.host.out << reference_text(scenario_catalog());
    return exit_ok;
}

} // namespace

Command scenario_reference_command() {
    return make_command<ScenarioReferenceOptions>(
        {.name = "reference",
         .summary = "print every setting of every bee",
         .description =
             "Markdown tables of all that may stand under config: type, default, what is allowed, "
             "unit, whether it may change while the bee works, and what it is. They come from the "
             "declarations that the bees themselves read.",
         .examples = {{"hive scenario reference", "as in docs/guides/scenario-reference.md"}}},
        declare_scenario_reference, run_scenario_reference);
}

} // namespace hive::cli
