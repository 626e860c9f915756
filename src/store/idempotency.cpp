#include "store/idempotency.hpp"

#include <fmt/format.h>

#include <optional>

namespace hive::store {
namespace {

std::int64_t nanoseconds(Timestamp time) {
    return time.time_since_epoch().count();
}

struct Known {
    std::string fingerprint;
    std::int64_t expires = 0;
    std::optional<Answer> answer{};
};

Result<std::optional<Known>> find(Session& session, const KeyedRequest& request) {
    std::optional<Known> known;
    const auto read = session.query(
        "SELECT fingerprint, expires, status, answer FROM idempotency "
        "WHERE hive = $1 AND key = $2",
        {request.hive, request.key}, [&](const Row& row) {
            known.emplace(std::string{row.text(0)}, row.integer(1));
            if (row.is_null(2)) return;
            known->answer = Answer{row.integer(2), std::string{text_of(row.blob(3))}};
        });
    if (!read) return fail(read.error());
    return known;
}

Status check_request(const KeyedRequest& request) {
    if (request.key.empty() || request.key.size() > idempotency_key_max) {
        return fail(
            Errc::invalid, fmt::format(
                               "an idempotency key has 1 to {} characters, this one has {}",
                               idempotency_key_max, request.key.size()));
    }
    return {};
}

} // namespace

Result<Claim> claim_key(Session& session, const KeyedRequest& request, Timestamp now) {
    if (auto ok = check_request(request); !ok) return fail(ok.error());
    auto known = find(session, request);
    if (!known) return fail(known.error());
    if (*known && (*known)->expires > nanoseconds(now)) {
        if ((*known)->fingerprint != request.fingerprint) {
            return fail(
                Errc::conflict,
                "this idempotency key was used for another request; choose a new key");
        }
        if ((*known)->answer) return Replay{std::move(*(*known)->answer)};
        return InFlight{};
    }
    const auto claimed = session.execute(
        "INSERT INTO idempotency (hive, key, fingerprint, claimed, expires) "
        "VALUES ($1, $2, $3, $4, $5) ON CONFLICT (hive, key) DO UPDATE SET "
        "fingerprint = excluded.fingerprint, claimed = excluded.claimed, "
        "expires = excluded.expires, status = NULL, answer = NULL",
        {request.hive, request.key, request.fingerprint, nanoseconds(now),
         nanoseconds(now + in_flight_max)});
    if (!claimed) return fail(claimed.error());
    return Fresh{now};
}

Status
keep_answer(Session& session, const KeyedRequest& request, const KeptAnswer& kept, Timestamp now) {
    if (kept.answer.body.size() > answer_bytes_max) {
        return fail(
            Errc::limit, fmt::format(
                             "an answer of {} bytes is too large to be kept; at most {}",
                             kept.answer.body.size(), answer_bytes_max));
    }
    const auto stored = session.execute(
        "UPDATE idempotency SET status = $1, answer = $2, expires = $3 "
        "WHERE hive = $4 AND key = $5 AND claimed = $6 AND status IS NULL",
        {kept.answer.status, bytes_of(kept.answer.body), nanoseconds(now + answer_kept),
         request.hive, request.key, nanoseconds(kept.claimed)});
    if (!stored) return fail(stored.error());
    if (*stored == 1) return {};
    return fail(
        Errc::conflict, "the request took too long; another try with its key has taken over");
}

Status release_key(Session& session, const KeyedRequest& request, Timestamp claimed) {
    const auto released = session.execute(
        "DELETE FROM idempotency "
        "WHERE hive = $1 AND key = $2 AND claimed = $3 AND status IS NULL",
        {request.hive, request.key, nanoseconds(claimed)});
    if (!released) return fail(released.error());
    return {};
}

Result<std::int64_t> purge_keys(Session& session, Timestamp now) {
    return session.execute("DELETE FROM idempotency WHERE expires <= $1", {nanoseconds(now)});
}

} // namespace hive::store
