#include "cli/audit_commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

int run_audit_erase(OneEntryOptions& options, Call& call) {
    auto log = reach_audit(options.audit.reach, call);
    if (!log) return report(call.host, log.error());
    if (auto ok = (*log)->erase(options.sequence); !ok) return report(call.host, ok.error());
    if (options.audit.json) {
        call.host.out << to_text(json::object{{"sequence", options.sequence}, {"erased", true}})
                      << '\n';
    } else {
        call.host.err << fmt::format(
            "The details of entry {} are gone for good; the log stays verifiable.\n",
            options.sequence);
    }
    return exit_ok;
}

} // namespace

Command audit_erase_command() {
    return make_command<OneEntryOptions>(
        {.name = "erase",
         .summary = "remove the details of an entry for good",
         .description =
             "For what must be forgotten. Who did what and when stays, and every hash, proof and "
             "signature stays valid; that it was erased is recorded.",
         .examples = {{"hive audit erase 42", "entry 42 keeps no details"}}},
        declare_one_entry, run_audit_erase);
}

} // namespace hive::cli
