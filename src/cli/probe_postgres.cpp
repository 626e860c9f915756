#include "cli/probe_store.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hive::cli {
namespace {

using Line = std::unique_ptr<PGconn, decltype(&::PQfinish)>;

// libpq's reason, which may span lines, on one.
std::string reason_of(const Line& connection) {
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

Line connect(const Url& url, Duration within) {
    const std::string uri{url.reveal()};
    const auto seconds = std::max<std::int64_t>(
        2, std::chrono::ceil<std::chrono::seconds>(within).count()); // libpq knows none below 2
    const std::string timeout = std::to_string(seconds);
    // The URL may set a timeout of its own; given after it, ours wins.
    const std::array<const char*, 4> names{
        "dbname", "connect_timeout", "application_name", nullptr};
    const std::array<const char*, 4> values{uri.c_str(), timeout.c_str(), "hive doctor", nullptr};
    return {::PQconnectdbParams(names.data(), values.data(), 1), &::PQfinish};
}

// The first column of the first row; none: it failed, and the connection has the reason. NULL is
// "".
std::optional<std::string> ask(const Line& connection, const std::string& statement) {
    const std::unique_ptr<PGresult, decltype(&::PQclear)> result{
        ::PQexec(connection.get(), statement.c_str()), &::PQclear};
    if (::PQresultStatus(result.get()) != PGRES_TUPLES_OK || ::PQntuples(result.get()) < 1) {
        return std::nullopt;
    }
    return std::string{::PQgetvalue(result.get(), 0, 0)};
}

Check trouble(std::string message, std::string remedy) {
    return {
        .name = "store",
        .health = Health::missing,
        .message = std::move(message),
        .remedy = std::move(remedy)};
}

// What a server would be refused after it has logged in.
std::optional<Check>
missing_right(const Line& connection, const std::string& where, bool complete) {
    if (ask(connection, "SELECT pg_is_in_recovery()") == "t") {
        return trouble(
            where + " is a standby and takes no changes", "name the primary with --store URL");
    }
    if (ask(connection, "SHOW transaction_read_only") == "on") {
        return trouble(
            where + " is read-only for us",
            "take default_transaction_read_only away from the user or database");
    }
    const std::string schema = ask(connection, "SELECT current_schema()").value_or("");
    if (schema.empty()) {
        return trouble(
            where + " has no schema for our tables on the user's search_path",
            "create one, or set search_path of the user");
    }
    if (ask(connection, "SELECT has_schema_privilege(current_schema(), 'CREATE')") != "t") {
        const std::string user{::PQuser(connection.get())};
        Check check = trouble(
            fmt::format("{}: '{}' may not create tables in schema '{}'", where, user, schema),
            fmt::format("GRANT CREATE, USAGE ON SCHEMA {} TO {};", schema, user));
        // All tables are there; only the next version of the program would need more.
        if (complete) check.health = Health::warning;
        return check;
    }
    return std::nullopt;
}

// None: it cannot be read, though it is there.
std::optional<std::int64_t> version_of(const Line& connection) {
    const auto table = ask(connection, "SELECT to_regclass('store_migration')");
    if (!table) return std::nullopt;
    if (table->empty()) return 0;
    const auto version = ask(connection, "SELECT coalesce(max(version), 0) FROM store_migration");
    if (!version) return std::nullopt;
    return std::stoll(*version);
}

} // namespace

Check check_postgres(const Url& url, Duration within) {
    const Line connection = connect(url, within);
    if (::PQstatus(connection.get()) != CONNECTION_OK) {
        return trouble(
            fmt::format("PostgreSQL at {}: {}", url.shown(), reason_of(connection)),
            "check that the server runs, and user, password and database of --store URL");
    }
    const int number = ::PQserverVersion(connection.get());
    const std::string where =
        fmt::format("PostgreSQL {}.{} at {}", number / 10000, number % 10000, url.shown());
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(within).count();
    // Somebody may have locked a table; the doctor does not wait for that.
    if (!ask(
            connection, fmt::format("SELECT set_config('statement_timeout', '{}', false)", wait))) {
        return trouble(where + ": " + reason_of(connection), "look at the log of the server");
    }
    const auto version = version_of(connection);
    if (!version) {
        return trouble(
            where + ": " + reason_of(connection),
            "log in as the user that made the tables, or grant their rights to this one");
    }
    if (auto missing = missing_right(connection, where, *version == known_schema()))
        return *std::move(missing);
    return check_schema(where + " accepts us", *version);
}

} // namespace hive::cli
