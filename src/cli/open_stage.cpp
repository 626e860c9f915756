#include "cli/open_stage.hpp"

#include "cli/local_stage.hpp"
#include "cli/server_stage.hpp"
#include "kernel/encoding.hpp"
#include "kernel/entropy.hpp"

#include <array>

namespace hive::cli {
namespace {

template <class Stage>
Result<std::unique_ptr<run::Stage>> as_stage(Result<std::unique_ptr<Stage>> opened) {
    if (!opened) return fail(opened.error());
    return std::unique_ptr<run::Stage>{*std::move(opened)};
}

} // namespace

Result<std::unique_ptr<run::Stage>> open_stage(
    const RunOptions& options, SwarmHostOptions place, const SwarmId& swarm,
    const StageParts& parts) {
    if (options.server.empty()) {
        return as_stage(LocalStage::open(std::move(place), swarm, parts.host.clock, parts.log));
    }
    if (options.broker) {
        return fail(
            Errc::invalid, "--server and --broker: the server has a broker of its own; give one");
    }
    const auto connection = connection_of(options.server, parts.host);
    if (!connection) return fail(connection.error());
    return as_stage(ServerStage::open(*connection, swarm, parts.host.clock));
}

std::string swarm_name_of(const RunOptions& options) {
    if (!options.swarm.empty()) return options.swarm;
    if (options.server.empty()) return "run";
    std::array<std::uint8_t, 4> bytes{};
    fill_from_entropy(bytes);
    return "run-" + to_hex(bytes);
}

} // namespace hive::cli
