#include "scenario/file_names.hpp"

#include "kernel/text.hpp"
#include "scenario/bundle.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::scenario {
namespace {

constexpr std::size_t parts_max = 12;
constexpr std::size_t part_max = 100;

Status refuse(std::string_view path, std::string_view why) {
    return fail(
        Errc::invalid, fmt::format("'{}' is no path of a bundle: {}", printable(path), why));
}

bool is_plain(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte != 0x7f && c != '\\' && c != ':';
}

} // namespace

Status check_file_name(std::string_view path) {
    if (path.empty() || path.size() > file_name_max) {
        return refuse(path, fmt::format("it must have 1 to {} bytes", file_name_max));
    }
    if (!std::ranges::all_of(path, is_plain)) {
        return refuse(path, "control characters, '\\' and ':' are not allowed");
    }
    std::size_t parts = 0;
    for (std::string_view rest = path;;) {
        const std::size_t slash = rest.find('/');
        const std::string_view part = rest.substr(0, slash);
        if (part.empty()) return refuse(path, "it begins or ends with '/', or has two in a row");
        if (part.starts_with('.')) return refuse(path, "no part of it may begin with '.'");
        if (part.size() > part_max) {
            return refuse(path, fmt::format("a part of it has more than {} bytes", part_max));
        }
        if (++parts > parts_max) {
            return refuse(path, fmt::format("it has more than {} parts", parts_max));
        }
        if (slash == rest.npos) return {};
        rest.remove_prefix(slash + 1);
    }
}

bool is_hidden(std::string_view path) {
    return path.starts_with('.') || path.find("/.") != path.npos;
}

Status check_files(const Files& files) {
    if (files.size() > bundle_files_max) {
        return fail(Errc::limit, fmt::format("more than {} files", bundle_files_max));
    }
    std::size_t bytes = 0;
    for (const auto& [path, text] : files) {
        if (auto ok = check_file_name(path); !ok) return ok;
        // A file where another has a folder could not be written.
        const auto below = files.lower_bound(path + "/");
        if (below != files.end() && below->first.starts_with(path + "/")) {
            return refuse(path, "it is a file and a folder");
        }
        bytes += text.size();
        if (bytes > bundle_bytes_max) {
            return fail(
                Errc::limit, fmt::format("the files have more than {} bytes", bundle_bytes_max));
        }
    }
    return {};
}

} // namespace hive::scenario
