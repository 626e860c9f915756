#include "cli/bundle_files.hpp"

#include "cli/exit_code.hpp"
#include "cli/scenario_catalog.hpp"
#include "cli/scenario_commands.hpp"
#include "importer/request_url.hpp"
#include "kernel/text.hpp"
#include "scenario/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace hive::cli {
namespace {

namespace fs = std::filesystem;

Status write(const fs::path& path, const std::string& text) {
    std::error_code bad;
    fs::create_directories(path.parent_path(), bad);
    if (bad) {
        return fail(
            Errc::unavailable,
            fmt::format("{}: {}", printable(path.parent_path().string(), 300), bad.message()));
    }
    std::ofstream file{path, std::ios::binary | std::ios::trunc};
    file << text;
    file.close();
    if (file) return {};
    return fail(
        Errc::unavailable, fmt::format("{}: cannot be written", printable(path.string(), 300)));
}

} // namespace

std::string scenario_id_of(const std::string& folder) {
    const fs::path path = fs::path{folder}.lexically_normal();
    return importer::name_from(
        path.has_filename() ? path.filename().string() : path.parent_path().filename().string());
}

Status write_bundle(const std::string& folder, const importer::Files& files, bool replace) {
    for (const auto& [name, text] : files) {
        std::error_code
            ignored; // what cannot be looked at cannot be written either, which says why
        if (!replace && fs::exists(fs::path{folder} / name, ignored)) {
            return fail(
                Errc::invalid,
                fmt::format(
                    "{}/{} is there already; --force replaces it", printable(folder, 300), name));
        }
    }
    for (const auto& [name, text] : files) {
        if (auto ok = write(fs::path{folder} / name, text); !ok) return ok;
    }
    return {};
}

int tell_new_bundle(Host& host, const std::string& folder, const importer::Files& files) {
    constexpr std::size_t listed_max = 12;
    std::size_t listed = 0;
    for (const auto& [name, text] : files) {
        if (++listed > listed_max) break;
        host.out << fmt::format("wrote {}/{}\n", folder, name);
    }
    if (files.size() > listed_max) {
        host.out << fmt::format("and {} more\n", files.size() - listed_max);
    }
    const auto loaded = scenario::load(folder);
    std::vector<Finding> findings = loaded.findings;
    const auto more = scenario::validate(loaded, scenario_catalog());
    findings.insert(findings.end(), more.begin(), more.end());
    if (!findings.empty()) print_findings(host.err, findings, loaded.bundle);
    const bool sound = std::ranges::none_of(
        findings, [](const Finding& f) { return f.severity == Severity::error; });
    if (!sound) return exit_bad_input;
    host.out << fmt::format(
        "\nnext:\n  hive scenario show {0}\n  hive run {0} --report report.html\n", folder);
    return exit_ok;
}

} // namespace hive::cli
