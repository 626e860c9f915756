#include "cli/audit_commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/text_table.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

int run_audit_checkpoint(AuditOptions& options, Call& call) {
    auto log = reach_audit(options.reach, call);
    if (!log) return report(call.host, log.error());
    auto checkpoint = (*log)->checkpoint();
    if (!checkpoint) return report(call.host, checkpoint.error());
    if (options.json) {
        call.host.out << to_text(*checkpoint) << '\n';
        return exit_ok;
    }
    call.host.out << member_text(*checkpoint, "note");
    call.host.out.flush();
    call.host.err << fmt::format(
        "Signed: the first {} entries. Keep this note elsewhere; 'hive audit verify --pin FILE' "
        "holds the log to it.\n",
        member_text(*checkpoint, "size"));
    return exit_ok;
}

} // namespace

Command audit_checkpoint_command() {
    return make_command<AuditOptions>(
        {.name = "checkpoint",
         .summary = "sign everything recorded so far",
         .description =
             "Prints a signed note about the log. Whoever keeps it can show later that entries "
             "were changed or cut off.",
         .examples = {{"hive audit checkpoint > january.note", "a note to keep elsewhere"}}},
        declare_audit, run_audit_checkpoint);
}

} // namespace hive::cli
