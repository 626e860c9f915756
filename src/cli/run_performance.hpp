#pragma once

#include "cli/fd_log_sink.hpp"
#include "cli/host.hpp"
#include "cli/run_director.hpp"
#include "cli/run_options.hpp"
#include "cli/run_view.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace hive::cli {

// Where processes of a run keep their logs while it lasts.
class ScratchFolder {
public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    std::string text() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

// Carries out runs, each on a stage of its own, and shows how they go.
class Performance {
public:
    Performance(const RunOptions& options, const SignalWait& signals, Host& host);

    Result<report::Run> perform(const Play& play);
    // Somebody could not wait: the stage was left as it stands.
    bool in_haste() const noexcept { return in_haste_; }
    void say(const std::string& line); // beside what is shown

private:
    Status open(const Play& play);

    const RunOptions& options_;
    const SignalWait& signals_;
    Host& host_;
    FdLogSink sink_;
    LogLevels levels_{};
    ScratchFolder scratch_{};
    RunView view_;
    std::unique_ptr<run::Stage> stage_{};
    bool in_haste_ = false;
};

} // namespace hive::cli
