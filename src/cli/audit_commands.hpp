#pragma once

#include "cli/audit_access.hpp"
#include "cli/command.hpp"
#include "kernel/json.hpp"

#include <string>

namespace hive::cli {

// What `hive audit` consists of; each is defined in the file named after it.
Command audit_search_command();
Command audit_show_command();
Command audit_verify_command();
Command audit_export_command();
Command audit_checkpoint_command();
Command audit_key_command();
Command audit_erase_command();
Command audit_tail_command();

// The options of a command about the log as a whole, and about one entry of it.
struct AuditOptions {
    AuditReach reach{};
    bool json = false;
};
void declare_audit(OptionTable& table, AuditOptions& options);

struct OneEntryOptions {
    AuditOptions audit{};
    std::uint64_t sequence = 0;
};
void declare_one_entry(OptionTable& table, OneEntryOptions& options);

// Prints an AuditReport; answers the exit code: 1 when the log is not sound.
int print_report(Host& host, const json::object& report, bool as_json);

} // namespace hive::cli
