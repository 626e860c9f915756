#include "store/postgres/link.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>

namespace hive::store::postgres {
namespace {

constexpr Duration cancel_grace = std::chrono::seconds{2};

// False at the deadline.
bool wait_for(int socket, short events, TimePoint deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SystemClock{}.now());
    pollfd watched{.fd = socket, .events = events, .revents = 0};
    const auto most = std::chrono::milliseconds{std::chrono::hours{1}}; // fits an int
    return ::poll(&watched, 1, static_cast<int>(std::clamp({left}, {}, most).count())) != 0;
}

PGconn* start(const std::string& url) {
    // Where the URL says something else, the URL wins: it comes last.
    const std::array keys{
        "application_name",
        "client_encoding",
        "tcp_user_timeout",
        "keepalives_idle",
        "keepalives_interval",
        "dbname",
        static_cast<const char*>(nullptr)};
    const std::array values{
        "hive", "UTF8", "10000", "10", "5", url.c_str(), static_cast<const char*>(nullptr)};
    constexpr int expand_dbname = 1;
    return PQconnectStartParams(keys.data(), values.data(), expand_dbname);
}

Error cannot_connect(PGconn* connection, std::string_view why) {
    const char* state = connection != nullptr ? PQerrorMessage(connection) : "";
    const std::string text = why.empty() ? one_line(state) : std::string{why};
    const bool unknown_database = text.find("does not exist") != text.npos;
    const bool refused = text.find("authentication failed") != text.npos ||
                         text.find("no pg_hba.conf entry") != text.npos;
    return {
        unknown_database ? Errc::not_found
        : refused        ? Errc::denied
                         : Errc::unavailable,
        fmt::format("cannot connect to PostgreSQL: {}", text)};
}

} // namespace

Result<std::unique_ptr<Link>> Link::open(const std::string& url, TimePoint deadline) {
    auto link = std::make_unique<Link>(start(url));
    PGconn* connection = link->raw();
    if (connection == nullptr || PQstatus(connection) == CONNECTION_BAD) {
        return fail(cannot_connect(connection, ""));
    }
    // libpq says what to wait for next; at the start that is to be able to write.
    for (auto wanted = PGRES_POLLING_WRITING; wanted != PGRES_POLLING_OK;
         wanted = PQconnectPoll(connection)) {
        if (wanted == PGRES_POLLING_FAILED) return fail(cannot_connect(connection, ""));
        const short events = wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT;
        if (!wait_for(PQsocket(connection), events, deadline)) {
            return fail(cannot_connect(connection, "no answer in time"));
        }
    }
    PQsetNoticeProcessor(connection, [](void*, const char*) {}, nullptr); // would go to stderr
    if (PQsetnonblocking(connection, 1) != 0 || PQenterPipelineMode(connection) != 1) {
        return fail(cannot_connect(connection, ""));
    }
    return link;
}

Status Link::exchange(const Exchange& exchange, const ResultHandler& each) {
    if (dead_ || PQpipelineSync(raw()) != 1) return died();
    cancelled_ = false;
    TimePoint deadline = exchange.deadline;
    for (std::size_t i = 0; i < exchange.commands; ++i) {
        if (exchange.stream_last && i + 1 == exchange.commands) PQsetSingleRowMode(raw());
        for (;;) {
            auto result = next(deadline);
            if (!result) return fail(result.error());
            if (!*result) break;
            each(i, **result);
        }
    }
    auto synced = next(deadline);
    if (!synced) return fail(synced.error());
    // A server that goes away says so in a result of its own, before the connection ends.
    if (PQresultStatus(synced->get()) != PGRES_PIPELINE_SYNC) return died();
    return {};
}

Result<ResultPtr> Link::next(TimePoint& deadline) {
    while (PQisBusy(raw()) == 1) {
        if (wait(deadline)) {
            if (dead_) return died();
            continue;
        }
        if (cancelled_) return died(); // not even the cancellation was answered
        cancelled_ = true;
        cancel();
        deadline = SystemClock{}.now() + cancel_grace;
    }
    ResultPtr result{PQgetResult(raw())};
    if (PQstatus(raw()) == CONNECTION_BAD) return died();
    return result;
}

// Sends what is left to send and takes in what has come; false at the deadline.
bool Link::wait(TimePoint deadline) {
    const int unsent = PQflush(raw());
    const auto events = static_cast<short>(unsent == 1 ? POLLIN | POLLOUT : POLLIN);
    if (!wait_for(PQsocket(raw()), events, deadline)) return false;
    dead_ = PQconsumeInput(raw()) != 1;
    return true;
}

void Link::cancel() {
    std::array<char, 256> why{};
    PGcancel* handle = PQgetCancel(raw());
    // When it does not get through, the grace period ends and the connection is given up.
    PQcancel(handle, why.data(), static_cast<int>(why.size()));
    PQfreeCancel(handle);
}

tl::unexpected<Error> Link::died() {
    dead_ = true;
    const std::string why = one_line(PQerrorMessage(raw()));
    return fail(
        Errc::unavailable,
        fmt::format("the connection to PostgreSQL was lost{}{}", why.empty() ? "" : ": ", why));
}

} // namespace hive::store::postgres
