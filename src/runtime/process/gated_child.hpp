#pragma once

#include "kernel/result.hpp"
#include "runtime/process/descriptor.hpp"

#include <string>
#include <vector>

namespace hive::runtime::process {

struct Program {
    std::vector<std::string> arguments; // the first is the path of the program
    std::vector<std::string> environment;
};

// A child that waits at a gate before it runs its program, so that its record can be written first:
// no component ever runs that nobody could find again. It ends when the gate goes unopened, also
// because the launcher was killed.
class GatedChild {
public:
    // Its output goes to `log`; it has no terminal, and signals as a fresh process has them.
    static Result<GatedChild> fork(const Program& program, const Descriptor& log);
    GatedChild(GatedChild&&) noexcept = default;
    GatedChild& operator=(GatedChild&&) = delete;
    ~GatedChild();

    int pid() const noexcept { return pid_; }

    // Lets it run. Answers its pidfd, or why the program cannot be run. It is over then either way.
    Result<Descriptor> open_gate();

private:
    GatedChild(int pid, Descriptor pidfd) : pid_{pid}, pidfd_{std::move(pidfd)} {}

    int pid_;
    Descriptor pidfd_;
    Descriptor gate_{}; // a byte opens it; brings back the error number of a failed exec
    std::string program_{};
};

} // namespace hive::runtime::process
