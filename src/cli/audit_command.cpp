#include "cli/audit_commands.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

constexpr std::size_t reason_bytes_max = 1000;

std::string fault_text(const json::object& report) {
    const json::object& fault = report.at("fault").as_object();
    return fmt::format(
        "The log is not sound: entry {} ({}): {}.\nGood entries before it: {}.\n",
        member_text(fault, "sequence"), member_text(fault, "kind"),
        printable(member_text(fault, "reason"), reason_bytes_max), member_text(report, "entries"));
}

std::string sound_text(const json::object& report) {
    const auto member = [&](std::string_view name) { return member_text(report, name); };
    std::string out = fmt::format(
        "The log is sound. Entries: {}, vouched for: {}, signed checkpoints: {}.\n",
        member("entries"), member("covered"), member("checkpoints"));
    if (member("erased") != "0") {
        out += fmt::format("Entries whose details were erased: {}.\n", member("erased"));
    }
    if (member("covered") == "0" && member("entries") != "0") {
        out += "Nothing is signed yet; 'hive audit checkpoint' signs it.\n";
    }
    return out + fmt::format("root {}\n", member("root"));
}

} // namespace

void declare_audit(OptionTable& table, AuditOptions& options) {
    declare_audit_reach(table, options.reach);
    table.add_flag("json", options.json).help("answer for scripts");
}

void declare_one_entry(OptionTable& table, OneEntryOptions& options) {
    table.add_positional("SEQ", options.sequence)
        .required()
        .range(1, std::numeric_limits<std::int64_t>::max())
        .help("number of the entry");
    declare_audit(table, options.audit);
}

int print_report(Host& host, const json::object& report, bool as_json) {
    const bool good = report.at("good").as_bool();
    if (as_json) {
        host.out << to_text(report) << '\n';
    } else {
        host.out << (good ? sound_text(report) : fault_text(report));
    }
    return good ? exit_ok : exit_check_failed;
}

Command audit_command() {
    Command group{
        .text = {
            .name = "audit",
            .summary = "search, verify and export the log of everything that happened",
            .description =
                "Every change, login and refusal is an entry of the audit log, chained by hashes "
                "and signed. These commands ask the server you logged in to, or work on the hive's "
                "files themselves with --data DIR or --store URL.",
            .examples = {
                {"hive audit search --actor human:alice --since 7d", "what alice did this week"},
                {"hive audit verify", "is every entry as it was written?"},
                {"hive audit export --output audit.jsonl",
                 "the whole log, to be verified anywhere"}}}};
    group.children.push_back(audit_search_command());
    group.children.push_back(audit_show_command());
    group.children.push_back(audit_tail_command());
    group.children.push_back(audit_verify_command());
    group.children.push_back(audit_export_command());
    group.children.push_back(audit_checkpoint_command());
    group.children.push_back(audit_key_command());
    group.children.push_back(audit_erase_command());
    return group;
}

} // namespace hive::cli
