#include "cli/sync_explaining.hpp"

#include "cli/read_file.hpp"
#include "cli/text_table.hpp"
#include "colony/files/document.hpp"
#include "colony/files/git/git_history.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

namespace hive::cli {
namespace {

namespace fs = std::filesystem;
using namespace colony::files;

// The `.deia` above a file; a file elsewhere is read as if its directory were one.
fs::path root_of(const fs::path& file) {
    for (fs::path at = file.parent_path(); at.has_relative_path(); at = at.parent_path()) {
        if (at.filename() == ".deia") return at;
    }
    return file.parent_path();
}

Timestamp modified(const fs::path& file) {
    std::error_code error;
    const auto time = fs::last_write_time(file, error);
    if (error) return Timestamp{};
    return std::chrono::time_point_cast<Duration>(std::chrono::file_clock::to_sys(time));
}

} // namespace

Result<json::object> explained(const std::string& file, const std::string& zone_name) {
    const auto zone = Zone::parse(zone_name);
    if (!zone) return fail(zone.error());
    std::error_code error;
    const fs::path whole = fs::absolute(file, error);
    const auto bytes = read_file(file, file_bytes_max);
    if (!bytes) return fail(bytes.error().code, file + ": " + bytes.error().detail);
    const fs::path root = root_of(whole);
    Aliases aliases;
    if (const auto table = read_file((root / aliases_path).string(), file_bytes_max)) {
        auto parsed = Aliases::parse(*table);
        if (!parsed)
            return fail(Errc::invalid, fmt::format("{}: {}", aliases_path, parsed.error().detail));
        aliases = *std::move(parsed);
    }
    const std::string path = whole.lexically_relative(root).generic_string();
    git::GitHistory history{root.string(), std::nullopt};
    json::object out =
        to_json(read_document(path, *bytes, {aliases, *zone, modified(whole), &history}));
    out["taken"] = is_taken(path);
    return out;
}

std::string explanation_text(const json::object& document) {
    std::string out = fmt::format(
        "{}: {}{}\n", printable(member_text(document, "path"), 300),
        member_text(document, "family"), document.contains("archived") ? ", archived" : "");
    if (!document.at("taken").as_bool()) out += "The hive does not read files here.\n";
    TextTable table{{"FIELD", "VALUE", "WRITTEN", "SOURCE"}};
    for (const auto& [name, value] : document.at("fields").as_object()) {
        const json::object& field = value.as_object();
        table.add(
            {std::string{name}, printable(member_text(field, "value"), 50),
             printable(member_text(field, "written"), 40), member_text(field, "source")});
    }
    out += table.text();
    for (const auto* name : {"kind", "dependsOn", "lines"}) {
        const std::string text = member_text(document, name);
        if (!text.empty()) out += fmt::format("{}: {}\n", name, printable(text, 200));
    }
    if (const auto* findings = document.if_contains("findings")) {
        for (const auto& item : findings->as_array()) {
            const json::object& finding = item.as_object();
            out += fmt::format(
                "finding {}: {}\n", member_text(finding, "code"),
                printable(member_text(finding, "reason"), 300));
        }
    }
    return out;
}

} // namespace hive::cli
