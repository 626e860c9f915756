#include "cli/probes.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace hive::cli {
namespace {

using Connection = std::unique_ptr<PGconn, decltype(&::PQfinish)>;

// libpq's reason, which may span lines, on one.
std::string reason_of(const Connection& connection) {
    const std::string_view raw = connection ? ::PQerrorMessage(connection.get()) : "out of memory";
    std::string text;
    for (const char c : raw) {
        const bool blank = c == ' ' || c == '\n' || c == '\t';
        if (!blank) {
            text += c;
        } else if (!text.empty() && !text.ends_with(' ')) {
            text += ' ';
        }
    }
    if (text.ends_with(' ')) text.pop_back();
    return text;
}

Check check_postgres(const Url& url, Duration within) {
    const std::string uri{url.reveal()};
    const auto seconds = std::max<std::int64_t>(
        2, std::chrono::ceil<std::chrono::seconds>(within).count()); // libpq knows none below 2
    const std::string timeout = std::to_string(seconds);
    // The URL may set a timeout of its own; given after it, ours wins.
    const std::array<const char*, 4> names{
        "dbname", "connect_timeout", "application_name", nullptr};
    const std::array<const char*, 4> values{uri.c_str(), timeout.c_str(), "hive doctor", nullptr};
    const Connection connection{::PQconnectdbParams(names.data(), values.data(), 1), &::PQfinish};
    if (::PQstatus(connection.get()) != CONNECTION_OK) {
        return {
            .name = "store",
            .health = Health::missing,
            .message = fmt::format("PostgreSQL at {}: {}", url.shown(), reason_of(connection)),
            .remedy = "check that the server runs, and user, password and database of --store URL"};
    }
    const int number = ::PQserverVersion(connection.get());
    return {
        .name = "store",
        .message = fmt::format(
            "PostgreSQL {}.{} at {} accepts us", number / 10000, number % 10000, url.shown())};
}

} // namespace

Check check_store(const std::optional<Url>& url, const std::string& data, Duration within) {
    if (url) return check_postgres(*url, within);
    return {
        .name = "store",
        .health = Health::note,
        .message = fmt::format("SQLite in {}; set --store URL to use PostgreSQL", data)};
}

} // namespace hive::cli
