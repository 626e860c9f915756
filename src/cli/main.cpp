#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/fd_output.hpp"
#include "cli/program.hpp"
#include "kernel/clock.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <ostream>
#include <string>
#include <vector>

namespace {

using namespace hive;
using namespace hive::cli;

// Settings that have a name from before this program.
const char* older_name(std::string_view name) {
    if (name != "HIVE_SWARM_BUFFER_GUARDS") return nullptr;
    return "POCKETHIVE_CONTROL_PLANE_SWARM_CONTROLLER_FEATURES_BUFFER_GUARD_ENABLED";
}

std::optional<std::string> variable(const std::string& name) {
    const char* value = std::getenv(name.c_str()); // NOLINT(concurrency-mt-unsafe): before threads
    const char* older = value == nullptr ? older_name(name) : nullptr;
    if (older != nullptr) value = std::getenv(older); // NOLINT(concurrency-mt-unsafe)
    return value == nullptr ? std::nullopt : std::optional<std::string>{value};
}

bool wants_colors() {
    return ::isatty(STDOUT_FILENO) == 1 && !variable("NO_COLOR") && variable("TERM") != "dumb";
}

int report(std::ostream& err, const std::string& what) {
    err << "error: " << what << std::endl;
    return exit_failed;
}

// A pipe that closed is its reader's choice (`hive help | head`); anything else is a failure.
int finish(int code, std::ostream& out, const FdOutput& written, std::ostream& err) {
    out.flush();
    if (written.error() == 0) return code;
    if (written.error() == EPIPE) return exit_broken_pipe;
    return report(err, std::string{"cannot write the output: "} + std::strerror(written.error()));
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe or socket is an error code, not a death
    FdOutput out_buffer{STDOUT_FILENO};
    FdOutput err_buffer{STDERR_FILENO};
    std::ostream out{&out_buffer};
    std::ostream err{&err_buffer};
    err << std::unitbuf;
    try {
        const SystemClock clock;
        Host host{
            .out = out,
            .err = err,
            .env = variable,
            .clock = clock,
            .colors = wants_colors(),
            .progress = ::isatty(STDERR_FILENO) == 1,
            .in = STDIN_FILENO};
        const std::vector<std::string> args{argv + (argc > 0 ? 1 : 0), argv + argc};
        const Command root = hive_command();
        return finish(run_program(root, args, host), out, out_buffer, err);
    } catch (const std::exception& error) {
        return report(err, error.what());
    } catch (...) {
        return report(err, "something went wrong that has no description");
    }
}
