#pragma once

#include "cli/host.hpp"
#include "cli/run_options.hpp"
#include "cli/swarm_host.hpp"
#include "kernel/log.hpp"
#include "run/stage.hpp"

#include <memory>

namespace hive::cli {

struct StageParts { // both outlive the stage
    const Host& host;
    Logger log;
};

// Where a run takes place: on a server when the options name one, else here, as `place` says.
Result<std::unique_ptr<run::Stage>> open_stage(
    const RunOptions& options, SwarmHostOptions place, const SwarmId& swarm,
    const StageParts& parts);

// As it was called, or `run`; on a server, where others run too, a name of its own.
std::string swarm_name_of(const RunOptions& options);

} // namespace hive::cli
