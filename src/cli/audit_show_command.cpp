#include "cli/audit_commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/text_table.hpp"

namespace hive::cli {
namespace {

std::string entry_text(const json::object& entry) {
    const auto member = [&](std::string_view name) { return member_text(entry, name); };
    const auto* details = entry.if_contains("details");
    return fields_text(
        {{"sequence", member("sequence")},
         {"time", member("time")},
         {"hive", member("hive")},
         {"actor", member("actor")},
         {"action", member("action")},
         {"entity", member("entityType") + " " + member("entityId")},
         {"correlation", member("correlationId")},
         {"request", member("requestId")},
         {"hash", member("hash")},
         {"details", details == nullptr ? "erased" : to_text(*details)}});
}

int run_audit_show(OneEntryOptions& options, Call& call) {
    auto log = reach_audit(options.audit.reach, call);
    if (!log) return report(call.host, log.error());
    auto entry = (*log)->show(options.sequence);
    if (!entry) return report(call.host, entry.error());
    call.host.out << (options.audit.json ? to_text(*entry) + "\n" : entry_text(*entry));
    return exit_ok;
}

} // namespace

Command audit_show_command() {
    return make_command<OneEntryOptions>(
        {.name = "show",
         .summary = "one entry with its details",
         .examples = {{"hive audit show 42", "what happened as number 42"}}},
        declare_one_entry, run_audit_show);
}

} // namespace hive::cli
