#include "cli/run_files.hpp"

#include "cli/unfinished_file.hpp"
#include "cli/version.hpp"
#include "report/html.hpp"
#include "report/junit.hpp"
#include "telemetry/summary_json.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <thread>

namespace hive::cli {
namespace {

Status write(const std::string& path, const std::string& text) {
    auto file = UnfinishedFile::create(path, IfThere::replace);
    if (!file) return fail(file.error());
    if (auto ok = file->write(text); !ok) return ok;
    if (auto ok = file->keep(); !ok) return ok;
    // Nothing secret is in it, and build servers read it as somebody else: as any file is made.
    const mode_t mask = ::umask(0); // no other way to ask; no thread of the run is left
    ::umask(mask);
    if (::chmod(path.c_str(), 0666 & ~mask) == 0) return {};
    return fail(Errc::unavailable, fmt::format("{}: its mode cannot be set", path));
}

} // namespace

Result<WrittenFiles> write_run_files(const report::Run& run, const RunOptions& options) {
    WrittenFiles written;
    std::string troubles;
    const auto put = [&](const std::optional<FilePath>& path, const char* what, const auto& make) {
        if (!path) return;
        if (auto ok = write(path->text, make()); ok) {
            written.emplace_back(what, path->text);
        } else {
            if (!troubles.empty()) troubles += "; ";
            troubles += ok.error().detail;
        }
    };
    put(options.summary, "summary",
        [&] { return to_text(telemetry::to_json(run.summary)) + '\n'; });
    put(options.report, "report", [&] { return report::html(run); });
    put(options.junit, "junit", [&] { return report::junit(run); });
    if (!troubles.empty()) return fail(Errc::unavailable, troubles);
    return written;
}

std::vector<std::pair<std::string, std::string>> environment_of(const RunOptions& options) {
    utsname system{};
    ::uname(&system);
    return {
        {"program", "hive " + version()},
        {"bus", options.broker ? "RabbitMQ at " + options.broker->shown() : "in this process"},
        {"machine", fmt::format(
                        "{} {} {}, {} cores", system.sysname, system.release, system.machine,
                        std::thread::hardware_concurrency())}};
}

} // namespace hive::cli
