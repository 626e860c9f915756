#include "cli/profiles.hpp"

#include "cli/read_file.hpp"
#include "cli/unfinished_file.hpp"
#include "kernel/json.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

namespace hive::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view file_format = "hive.profiles/1";
constexpr std::size_t file_bytes_max = std::size_t{1} << 20U;

std::string text_at(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    return value != nullptr && value->is_string() ? std::string{value->get_string()}
                                                  : std::string{};
}

Result<Profile> profile_of(const std::string& name, const json::value& value) {
    if (!value.is_object()) return fail(Errc::conflict, fmt::format("'{}' is not an object", name));
    const json::object& object = value.get_object();
    Profile profile{
        .server = text_at(object, "server"),
        .key = Secret{text_at(object, "key")},
        .ca_file = text_at(object, "caFile")};
    const auto* insecure = object.if_contains("insecure");
    profile.insecure = insecure != nullptr && insecure->is_bool() && insecure->get_bool();
    if (profile.server.empty() || profile.key.empty()) {
        return fail(Errc::conflict, fmt::format("'{}' has no server or no key", name));
    }
    return profile;
}

json::object to_json(const Profile& profile) {
    json::object out{{"server", profile.server}, {"key", profile.key.reveal()}};
    if (!profile.ca_file.empty()) out["caFile"] = profile.ca_file;
    if (profile.insecure) out["insecure"] = true;
    return out;
}

// Keys that others can read are no longer secret; nobody should find out by accident.
Status check_mode(const std::string& path) {
    struct stat status{};
    constexpr mode_t of_others = S_IRWXG | S_IRWXO;
    if (::stat(path.c_str(), &status) != 0 || (status.st_mode & of_others) == 0) return {};
    return fail(
        Errc::conflict,
        fmt::format("{} can be read by others and holds keys; run: chmod 600 {}", path, path));
}

} // namespace

Status check_profile_name(std::string_view name) {
    const bool fine = !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               c == '.' || c == '_' || c == '-';
    });
    if (fine) return {};
    return fail(Errc::invalid, "expected 1 to 64 letters, digits, '.', '_' or '-'");
}

Result<std::string> Profiles::default_path(const Host& host) {
    const auto config = host.env("XDG_CONFIG_HOME");
    if (config && config->starts_with('/')) return *config + "/hive/profiles.json";
    const auto home = host.env("HOME");
    if (home && !home->empty()) return *home + "/.config/hive/profiles.json";
    return fail(
        Errc::invalid, "there is no place for profiles: set HOME or XDG_CONFIG_HOME, or give both "
                       "--server and --key");
}

Result<Profiles> Profiles::load(std::string path) {
    Profiles profiles{std::move(path)};
    const std::string& file = profiles.path_;
    auto text = read_file(file, file_bytes_max);
    if (!text && text.error().code == Errc::not_found) return profiles;
    if (!text) return fail(Errc::denied, fmt::format("{} {}", file, text.error().detail));
    if (auto ok = check_mode(file); !ok) return fail(ok.error());
    if (auto ok = profiles.read(*text); !ok) {
        return fail(
            Errc::conflict,
            fmt::format("{} is broken: {}; mend it or remove it", file, ok.error().detail));
    }
    return profiles;
}

Status Profiles::read(std::string_view text) {
    auto document = parse_json(text);
    if (!document) return fail(document.error());
    if (!document->is_object()) return fail(Errc::conflict, "it is not a JSON object");
    const json::object& object = document->get_object();
    if (text_at(object, "format") != file_format) {
        return fail(Errc::conflict, fmt::format("its format is not {}", file_format));
    }
    const auto* listed = object.if_contains("profiles");
    if (listed == nullptr || !listed->is_object()) return fail(Errc::conflict, "no 'profiles'");
    for (const auto& [key, value] : listed->get_object()) {
        const std::string name{key};
        auto profile = profile_of(name, value);
        if (!profile) return fail(profile.error());
        all_.emplace(name, std::move(*profile));
    }
    current = text_at(object, "current");
    return {};
}

Status Profiles::save() const {
    std::error_code error;
    const fs::path directory = fs::path{path_}.parent_path();
    fs::create_directories(directory, error);
    if (error) {
        return fail(
            Errc::denied, fmt::format("cannot make {}: {}", directory.string(), error.message()));
    }
    json::object listed;
    for (const auto& [name, profile] : all_) listed[name] = to_json(profile);
    const json::object document{
        {"format", file_format}, {"current", current}, {"profiles", std::move(listed)}};
    auto file = UnfinishedFile::create(path_, IfThere::replace);
    if (!file) return fail(file.error());
    if (auto ok = file->write(to_text(document) + '\n'); !ok) return ok;
    return file->keep();
}

const Profile* Profiles::find(std::string_view name) const noexcept {
    const auto found = all_.find(name);
    return found == all_.end() ? nullptr : &found->second;
}

bool Profiles::remove(std::string_view name) {
    const auto found = all_.find(name);
    if (found == all_.end()) return false;
    all_.erase(found);
    if (current == name) current.clear();
    return true;
}

} // namespace hive::cli
