#include "scenario/files.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

namespace hive::scenario {

std::span<const FileSetting> file_settings() {
    static constexpr std::array settings{
        FileSetting{"templateRoot", true}, FileSetting{"inputs.csv.filePath"},
        FileSetting{"tls.caFile"}, FileSetting{"tls.certificateFile"}, FileSetting{"tls.keyFile"}};
    return settings;
}

json::string* text_at(json::object& config, std::string_view path) {
    json::object* object = &config;
    for (;;) {
        const auto dot = path.find('.');
        auto* member = object->if_contains(path.substr(0, dot));
        if (member == nullptr) return nullptr;
        if (dot == path.npos) return member->if_string();
        object = member->if_object();
        if (object == nullptr) return nullptr;
        path.remove_prefix(dot + 1);
    }
}

Result<std::string> path_within(std::string_view written) {
    constexpr std::string_view mounted = "/app/scenario/";
    std::string_view relative = written;
    if (relative.starts_with(mounted)) relative.remove_prefix(mounted.size());
    const auto refuse = [&](std::string_view why) {
        return fail(
            Errc::invalid, fmt::format(
                               "'{}' {}; name something inside the bundle, relative to its folder",
                               printable(written), why));
    };
    if (relative.empty() || relative.find('\0') != relative.npos) return refuse("is no path");
    const auto path = std::filesystem::path{relative}.lexically_normal();
    if (path.is_absolute()) return refuse("is outside of the bundle");
    if (*path.begin() == "..") return refuse("leads out of the bundle");
    std::string text = path.generic_string();
    if (text.ends_with('/')) text.pop_back();
    return text;
}

} // namespace hive::scenario
