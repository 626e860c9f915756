#include "cli/swarm_meters.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <sstream>

namespace hive::cli {
namespace {

// User and system time of a process with all its threads; none when it has gone.
std::optional<Duration> cpu_of(int pid) {
    std::ifstream file{fmt::format("/proc/{}/stat", pid)};
    std::string line;
    if (!std::getline(file, line)) return std::nullopt;
    // The second field is a name in parentheses, which may hold anything.
    const auto name_ends = line.rfind(')');
    if (name_ends == line.npos) return std::nullopt;
    std::istringstream fields{line.substr(name_ends + 1)};
    std::string skipped;
    for (int i = 0; i < 11; ++i) fields >> skipped; // state to cmajflt
    std::int64_t user = 0;
    std::int64_t system = 0;
    if (!(fields >> user >> system)) return std::nullopt;
    static const long ticks = ::sysconf(_SC_CLK_TCK);
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(
        static_cast<double>(user + system) / static_cast<double>(ticks)));
}

} // namespace

loop::CpuMeterPtr SwarmMeters::meter_of(const SwarmId& swarm) {
    const std::lock_guard lock{mutex_};
    auto& meter = meters_[swarm.text()];
    if (!meter) meter = std::make_shared<loop::CpuMeter>();
    return meter;
}

void SwarmMeters::look_at(runtime::Runtime& runtime) {
    const auto running = runtime.running();
    if (!running) return; // the next look will tell
    for (const auto& component : *running) {
        if (!component.pid) continue;
        const auto spent = cpu_of(*component.pid);
        if (!spent) continue;
        const std::lock_guard lock{mutex_};
        processes_[{component.name.swarm.text(), *component.pid}] = *spent;
    }
}

Duration SwarmMeters::take(const SwarmId& swarm) {
    const std::lock_guard lock{mutex_};
    Duration spent{};
    if (const auto meter = meters_.extract(swarm.text())) spent += meter.mapped()->spent();
    std::erase_if(processes_, [&](const auto& process) {
        if (process.first.first != swarm.text()) return false;
        spent += process.second;
        return true;
    });
    return spent;
}

} // namespace hive::cli
