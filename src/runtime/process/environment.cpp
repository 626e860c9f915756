#include "runtime/process/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

extern char** environ;

namespace hive::runtime::process {
namespace {

constexpr std::array<std::string_view, 11> passed_on{
    "PATH",          "HOME",         "LANG",         "LC_ALL",        "TZ",          "TMPDIR",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"};

bool is_passed_on(std::string_view name) {
    return name.starts_with("HIVE_LOG") || std::ranges::find(passed_on, name) != passed_on.end();
}

} // namespace

Environment base_environment() {
    Environment base;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text{*entry};
        const std::size_t equals = text.find('=');
        if (equals == text.npos || !is_passed_on(text.substr(0, equals))) continue;
        base.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return base;
}

std::vector<std::string> merge(Environment base, const Environment& more) {
    for (const auto& [name, value] : more) base.insert_or_assign(name, value);
    std::vector<std::string> all;
    all.reserve(base.size());
    for (const auto& [name, value] : base) all.push_back(fmt::format("{}={}", name, value));
    return all;
}

} // namespace hive::runtime::process
