#include "cli/audit_commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"

namespace hive::cli {
namespace {

int run_audit_key(AuditOptions& options, Call& call) {
    auto log = reach_audit(options.reach, call);
    if (!log) return report(call.host, log.error());
    auto key = (*log)->public_key();
    if (!key) return report(call.host, key.error());
    if (options.json) {
        call.host.out << to_text(json::object{{"publicKey", key->text()}}) << '\n';
    } else {
        call.host.out << key->text() << '\n';
    }
    return exit_ok;
}

} // namespace

Command audit_key_command() {
    return make_command<AuditOptions>(
        {.name = "key",
         .summary = "the public key that checkpoints are signed with",
         .examples = {{"hive audit key > hive.pub", "to verify exports with, anywhere"}}},
        declare_audit, run_audit_key);
}

} // namespace hive::cli
