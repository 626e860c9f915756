#pragma once

#include "cli/command.hpp"

namespace hive::cli {

// The whole tree; each command is defined in the file named after it.
Command hive_command();

Command approval_command();
Command audit_command();
Command bee_command();
Command webhook_command();
Command mcp_command();
Command completion_command();
Command controller_command();
Command cost_command();
Command doctor_command();
Command mock_command();
Command help_command();
Command key_command();
Command login_command();
Command man_command();
Command message_command();
Command profile_command();
Command run_command();
Command report_command();
Command scenario_command();
Command serve_command();
Command store_command();
Command swarm_command();
Command task_command();
Command up_command();
Command whoami_command();
Command worker_command();

} // namespace hive::cli
