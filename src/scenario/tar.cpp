#include "scenario/tar.hpp"

#include "kernel/text.hpp"
#include "scenario/bundle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace hive::scenario {
namespace {

constexpr std::size_t block = 512;
constexpr std::size_t entries_max = 2 * bundle_files_max; // with folders and what is left out

struct Part { // of a header
    std::size_t at;
    std::size_t size;
};
constexpr Part name_part{0, 100};
constexpr Part mode_part{100, 8};
constexpr Part owner_part{108, 8};
constexpr Part group_part{116, 8};
constexpr Part size_part{124, 12};
constexpr Part time_part{136, 12};
constexpr Part sum_part{148, 8};
constexpr Part type_part{156, 1};
constexpr Part magic_part{257, 8};
constexpr Part prefix_part{345, 155};

std::string_view raw(std::string_view header, Part part) {
    return header.substr(part.at, part.size);
}

std::string_view text_of(std::string_view header, Part part) {
    const std::string_view whole = raw(header, part);
    return whole.substr(0, whole.find('\0'));
}

std::optional<std::uint64_t> octal_of(std::string_view text) {
    std::uint64_t value = 0;
    bool any = false;
    for (const char c : text) {
        if (c == ' ' && !any) continue;
        if (c == ' ' || c == '\0') break;
        if (c < '0' || c > '7') return std::nullopt;
        value = value * 8 + static_cast<std::uint64_t>(c - '0');
        any = true;
    }
    return any ? std::optional{value} : std::nullopt;
}

// All bytes of a header, its own sum counted as spaces.
std::uint64_t sum_of(std::string_view header) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < block; ++i) {
        const bool own = i >= sum_part.at && i < sum_part.at + sum_part.size;
        sum += own ? ' ' : static_cast<unsigned char>(header[i]);
    }
    return sum;
}

bool is_zero(std::string_view bytes) {
    return std::ranges::all_of(bytes, [](char c) { return c == '\0'; });
}

// Leaves the folder it is in: refused, where other hidden names are only left out.
bool climbs(std::string_view name) {
    return name == ".." || name.starts_with("../") || name.ends_with("/..") ||
           name.find("/../") != name.npos;
}

class TarReader {
public:
    explicit TarReader(std::string_view archive) : rest_{archive} {}

    Result<Files> read() {
        while (rest_.size() >= block && !is_zero(rest_.substr(0, block))) {
            if (++entries_ > entries_max) {
                return fail(Errc::limit, fmt::format("more than {} entries", entries_max));
            }
            if (auto ok = take_entry(); !ok) return fail(ok.error());
        }
        if (entries_ == 0) return fail(Errc::invalid, "this is no tar archive, or an empty one");
        // The end is a block of zeros; whatever comes behind it is padding.
        if (rest_.size() < block) return cut_short();
        if (auto ok = check_files(files_); !ok) return fail(ok.error());
        return std::move(files_);
    }

private:
    static tl::unexpected<Error> cut_short() {
        return fail(Errc::invalid, "the archive is cut short");
    }

    Status take_entry() {
        const std::string_view header = rest_.substr(0, block);
        rest_.remove_prefix(block);
        if (octal_of(raw(header, sum_part)) != sum_of(header)) {
            return fail(Errc::invalid, "this is no tar archive, or it is damaged");
        }
        const auto size = octal_of(raw(header, size_part));
        const std::string name = name_of(header);
        if (!size || *size > bundle_bytes_max) {
            return fail(
                Errc::limit,
                fmt::format("'{}' has more than {} bytes", printable(name), bundle_bytes_max));
        }
        const std::size_t padded = (*size + block - 1) / block * block;
        if (rest_.size() < *size) return cut_short();
        const std::string_view body = rest_.substr(0, *size);
        rest_.remove_prefix(std::min(padded, rest_.size()));
        return take(raw(header, type_part).front(), name, body);
    }

    static std::string name_of(std::string_view header) {
        std::string name{text_of(header, name_part)};
        // GNU tar has other things where POSIX has the prefix.
        const bool posix = raw(header, magic_part).starts_with(std::string_view{"ustar\0", 6});
        const std::string_view prefix = posix ? text_of(header, prefix_part) : std::string_view{};
        if (!prefix.empty()) name = fmt::format("{}/{}", prefix, name);
        while (name.starts_with("./")) name.erase(0, 2);
        return name;
    }

    Status take(char type, const std::string& name, std::string_view body) {
        switch (type) {
        case '\0':
        case '0':
        case '7': return take_file(name, body);
        case '5': return {};
        case 'g':
        case 'x': return check_extension(body);
        case 'L':
        case 'K':
            return fail(
                Errc::invalid, fmt::format(
                                   "a name has more than {} bytes; make the archive with "
                                   "--format=ustar and shorter names",
                                   file_name_max));
        default:
            return fail(
                Errc::invalid,
                fmt::format(
                    "'{}' is a link or a device; a bundle has files only", printable(name)));
        }
    }

    Status take_file(const std::string& name, std::string_view body) {
        if (is_hidden(name) && !climbs(name)) return {};
        if (auto ok = check_file_name(name); !ok) return ok;
        bytes_ += body.size();
        if (bytes_ > bundle_bytes_max || files_.size() == bundle_files_max) {
            return fail(
                Errc::limit, fmt::format(
                                 "the archive has more than {} files or {} bytes", bundle_files_max,
                                 bundle_bytes_max));
        }
        if (!files_.emplace(name, body).second) {
            return fail(Errc::invalid, fmt::format("'{}' is there twice", printable(name)));
        }
        return {};
    }

    // Times and owners of files may be there; another name for what follows is not understood.
    static Status check_extension(std::string_view records) {
        for (const std::string_view word : {" path=", " linkpath=", " size="}) {
            if (records.find(word) == records.npos) continue;
            return fail(Errc::invalid, "the archive has long names; make it with --format=ustar");
        }
        return {};
    }

    std::string_view rest_;
    std::size_t entries_ = 0;
    std::size_t bytes_ = 0;
    Files files_{};
};

void put(std::string& header, Part part, std::string_view text) {
    header.replace(part.at, text.size(), text);
}

void put_octal(std::string& header, Part part, std::uint64_t value) {
    put(header, part, fmt::format("{:0{}o}", value, part.size - 1));
}

Status put_name(std::string& header, std::string_view name) {
    if (name.size() <= name_part.size) {
        put(header, name_part, name);
        return {};
    }
    for (auto slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1)) {
        const std::string_view tail = name.substr(slash + 1);
        if (tail.size() > name_part.size || slash > prefix_part.size) continue;
        put(header, name_part, tail);
        put(header, prefix_part, name.substr(0, slash));
        return {};
    }
    return fail(
        Errc::invalid, fmt::format("the name of '{}' is too long for an archive", printable(name)));
}

} // namespace

Result<Files> read_tar(std::string_view archive) {
    return TarReader{archive}.read();
}

Result<std::string> write_tar(const Files& files) {
    std::string out;
    for (const auto& [name, text] : files) {
        std::string header(block, '\0');
        if (auto ok = put_name(header, name); !ok) return fail(ok.error());
        put_octal(header, mode_part, 0644);
        put_octal(header, owner_part, 0);
        put_octal(header, group_part, 0);
        put_octal(header, size_part, text.size());
        put_octal(header, time_part, 0); // the same files are the same archive
        put(header, type_part, "0");
        put(header, magic_part,
            std::string_view{
                "ustar\0"
                "00",
                8});
        put(header, sum_part, fmt::format("{:06o}", sum_of(header)));
        header[sum_part.at + 7] = ' ';
        out += header;
        out += text;
        out.append((block - text.size() % block) % block, '\0');
    }
    out.append(2 * block, '\0');
    return out;
}

Files without_top_folder(Files files) {
    if (files.empty() || files.contains("scenario.yaml")) return files;
    const std::string& first = files.begin()->first;
    const auto slash = first.find('/');
    if (slash == first.npos) return files;
    const std::string top = first.substr(0, slash + 1);
    const bool around_all =
        std::ranges::all_of(files, [&](const auto& file) { return file.first.starts_with(top); });
    if (!around_all || !files.contains(top + "scenario.yaml")) return files;
    Files out;
    for (auto& [name, text] : files) out.emplace(name.substr(top.size()), std::move(text));
    return out;
}

} // namespace hive::scenario
