#include "store/postgres/trouble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::store::postgres {
namespace {

struct Meaning {
    std::string_view state; // SQLSTATE, or its first two characters for a whole class
    Errc code;
    Reach reach = Reach::statement;
    std::string_view advice{};
};

// The first row that fits counts.
constexpr std::array<Meaning, 25> meanings{{
    {.state = "23505", .code = Errc::conflict},
    {.state = "23503", .code = Errc::conflict},
    {.state = "23P01", .code = Errc::conflict},
    {.state = "23", .code = Errc::invalid},
    {.state = "40", .code = Errc::unavailable, .reach = Reach::transaction},
    // A cached plan outlived a change of the schema, or a pooler lost our prepared statements: a
    // new connection prepares them again.
    {.state = "0A000", .code = Errc::unavailable, .reach = Reach::connection},
    {.state = "26000", .code = Errc::unavailable, .reach = Reach::connection},
    {.state = "42501", .code = Errc::denied},
    {.state = "42", .code = Errc::invalid},
    {.state = "22", .code = Errc::invalid},
    {.state = "21", .code = Errc::invalid},
    {.state = "57014", .code = Errc::timeout, .advice = ": it took too long and was stopped"},
    {.state = "57P", .code = Errc::unavailable, .reach = Reach::connection},
    {.state = "25P03", .code = Errc::unavailable, .reach = Reach::connection},
    {.state = "08P01", .code = Errc::invalid}, // the wrong number of parameters
    {.state = "08", .code = Errc::unavailable, .reach = Reach::connection},
    {.state = "28", .code = Errc::denied, .advice = ": check user and password of the store URL"},
    {.state = "3D000", .code = Errc::not_found, .advice = ": create the database first"},
    {.state = "53100",
     .code = Errc::unavailable,
     .advice = ": free some space on the server's disk and try again"},
    {.state = "53300", .code = Errc::unavailable, .advice = ": raise max_connections"},
    {.state = "54", .code = Errc::limit},
    {.state = "55P03", .code = Errc::unavailable, .advice = ": someone else holds it; try again"},
    {.state = "25006",
     .code = Errc::denied,
     .advice = ": a read may not write, and a standby cannot; point the store URL at the primary"},
    {.state = "P0", .code = Errc::invalid},
    {.state = "", .code = Errc::unavailable},
}};

} // namespace

std::string one_line(std::string_view text) {
    std::string line{text.substr(0, text.find_last_not_of(" \n\t") + 1)};
    std::ranges::replace(line, '\n', ' ');
    return line;
}

std::optional<Trouble> trouble_of(const PGresult& result, std::string_view sql) {
    const auto status = PQresultStatus(&result);
    if (status != PGRES_FATAL_ERROR && status != PGRES_BAD_RESPONSE) return std::nullopt;
    const char* field = PQresultErrorField(&result, PG_DIAG_SQLSTATE);
    const char* primary = PQresultErrorField(&result, PG_DIAG_MESSAGE_PRIMARY);
    const std::string_view state = field != nullptr ? field : "";
    const auto meaning = std::ranges::find_if(
        meanings, [&](const Meaning& row) { return state.starts_with(row.state); });
    // Another server changed the schema under a prepared statement; a new connection knows it.
    const bool stale_plan = state == "0A000" && primary != nullptr &&
                            std::string_view{primary}.starts_with("cached plan");
    constexpr std::size_t sql_max = 120;
    return Trouble{
        // Without a state it is libpq itself that speaks: of the connection.
        state.empty() || stale_plan ? Reach::connection : meaning->reach,
        {meaning->code,
         fmt::format(
             "PostgreSQL: {}{} (in: {}{})",
             primary != nullptr ? one_line(primary) : one_line(PQresultErrorMessage(&result)),
             meaning->advice, sql.substr(0, sql_max), sql.size() > sql_max ? "..." : "")}};
}

} // namespace hive::store::postgres
