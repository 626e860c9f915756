#include "store/webhook_tables.hpp"

#include "store/columns.hpp"
#include "store/repository.hpp"

#include <fmt/format.h>

namespace hive::store {
namespace {

using namespace colony::webhooks;

constexpr std::int64_t page = 500;
constexpr auto pending = static_cast<std::int64_t>(State::pending);

} // namespace

Result<std::vector<Endpoint>> WebhookTable::select(std::string_view rest, Params params) const {
    std::vector<Endpoint> all;
    Status good{};
    const auto read = session_->query(
        fmt::format("SELECT body, secrets FROM colony_webhook WHERE {}", rest), params,
        [&](const Row& row) {
            auto one = endpoint_from_stored(row.text(0), row.text(1));
            if (one) {
                all.push_back(*std::move(one));
            } else {
                good = fail(one.error());
            }
        });
    if (!read) return fail(read.error());
    if (!good) return fail(good.error());
    return all;
}

Status WebhookTable::insert(const Endpoint& endpoint) {
    const std::string body = to_stored(endpoint);
    const std::string secrets = to_stored(endpoint.secrets);
    return nothing_but(session_->execute(
        "INSERT INTO colony_webhook (hive, id, body, secrets) VALUES ($1, $2, $3, $4)",
        {hive_.text(), endpoint.id, body, secrets}));
}

Status WebhookTable::update(const Endpoint& endpoint) {
    const std::string body = to_stored(endpoint);
    const std::string secrets = to_stored(endpoint.secrets);
    return nothing_but(session_->execute(
        "UPDATE colony_webhook SET body = $3, secrets = $4 WHERE hive = $1 AND id = $2",
        {hive_.text(), endpoint.id, body, secrets}));
}

Status WebhookTable::remove(std::string_view id) {
    auto gone = session_->execute(
        "DELETE FROM colony_webhook_delivery WHERE webhook = $2 AND hive = $1", {hive_.text(), id});
    if (!gone) return fail(gone.error());
    return nothing_but(session_->execute(
        "DELETE FROM colony_webhook WHERE hive = $1 AND id = $2", {hive_.text(), id}));
}

Result<std::optional<Endpoint>> WebhookTable::find(std::string_view id) const {
    return first_of(select("hive = $1 AND id = $2", {hive_.text(), id}));
}

Result<std::vector<Endpoint>> WebhookTable::list() const {
    return select(
        "hive = $1 ORDER BY id LIMIT $2", {hive_.text(), static_cast<std::int64_t>(endpoints_max)});
}

Result<std::vector<Delivery>> DeliveryTable::select(std::string_view rest, Params params) const {
    std::vector<Delivery> all;
    Status good{};
    const auto read = session_->query(
        fmt::format("SELECT body, payload FROM colony_webhook_delivery WHERE {}", rest), params,
        [&](const Row& row) {
            auto one = delivery_from_stored(row.text(0));
            if (one) {
                one->payload = row.text(1);
                all.push_back(*std::move(one));
            } else {
                good = fail(one.error());
            }
        });
    if (!read) return fail(read.error());
    if (!good) return fail(good.error());
    return all;
}

Status DeliveryTable::insert(const Delivery& delivery) {
    const std::string body = to_text(to_json(delivery));
    // Another server may have removed the webhook since this one read who there is.
    return nothing_but(session_->execute(
        "INSERT INTO colony_webhook_delivery "
        "(hive, id, webhook, event, state, created, due, body, payload) "
        "SELECT $1, $2, $3, $4, $5, $6, CAST($7 AS BIGINT), $8, $9 WHERE EXISTS "
        "(SELECT 1 FROM colony_webhook WHERE hive = $1 AND id = $3)",
        {hive_.text(), delivery.id, delivery.endpoint, delivery.event,
         static_cast<std::int64_t>(delivery.state), as_column(delivery.created),
         as_column(delivery.due), body, delivery.payload}));
}

Status DeliveryTable::update(const Delivery& delivery) {
    const std::string body = to_text(to_json(delivery));
    return nothing_but(session_->execute(
        "UPDATE colony_webhook_delivery SET state = $3, due = $4, body = $5 "
        "WHERE hive = $1 AND id = $2",
        {hive_.text(), delivery.id, static_cast<std::int64_t>(delivery.state),
         as_column(delivery.due), body}));
}

Result<std::optional<Delivery>> DeliveryTable::find(std::string_view id) const {
    return first_of(select("hive = $1 AND id = $2", {hive_.text(), id}));
}

Result<std::vector<Delivery>> DeliveryTable::list(const DeliveryQuery& query) const {
    Filter filter{hive_.text()};
    filter.add("webhook = {}", query.endpoint);
    if (query.state) filter.add("state = {}", static_cast<std::int64_t>(*query.state));
    if (!query.event.empty()) filter.add("event = {}", query.event);
    if (!query.before.empty()) filter.add("id < {}", query.before);
    const std::string limit = filter.parameter(static_cast<std::int64_t>(query.limit));
    return select(
        fmt::format("{} ORDER BY id DESC LIMIT {}", filter.where(), limit), filter.params());
}

Result<std::vector<Delivery>>
DeliveryTable::due(std::string_view endpoint, Timestamp now, std::size_t limit) const {
    return select(
        "webhook = $2 AND due IS NOT NULL AND due <= $3 AND hive = $1 ORDER BY due LIMIT $4",
        {hive_.text(), endpoint, as_column(now), static_cast<std::int64_t>(limit)});
}

Result<std::vector<Delivery>>
DeliveryTable::since(std::string_view endpoint, Timestamp from, std::string_view after) const {
    return select(
        "webhook = $2 AND created >= $3 AND id > $4 AND hive = $1 ORDER BY id LIMIT $5",
        {hive_.text(), endpoint, as_column(from), after, page});
}

Result<std::string> DeliveryTable::first_too_many(const Pruning& pruning) const {
    std::string id;
    const auto read = session_->query(
        "SELECT id FROM colony_webhook_delivery WHERE webhook = $2 AND hive = $1 "
        "ORDER BY id DESC LIMIT 1 OFFSET $3",
        {hive_.text(), pruning.endpoint, static_cast<std::int64_t>(pruning.newest)},
        [&](const Row& row) { id = row.text(0); });
    if (!read) return fail(read.error());
    return id;
}

Result<std::int64_t> DeliveryTable::drop(std::string_view which, Params params) {
    // A LIMIT on DELETE itself is not everybody's.
    return session_->execute(
        fmt::format(
            "DELETE FROM colony_webhook_delivery WHERE hive = $1 AND id IN (SELECT id FROM "
            "colony_webhook_delivery WHERE webhook = $2 AND hive = $1 AND {} "
            "ORDER BY id LIMIT $4)",
            which),
        params);
}

Result<Pruned> DeliveryTable::prune(const Pruning& pruning) {
    const auto batch = static_cast<std::int64_t>(pruning.batch);
    Pruned pruned;
    const auto old = drop(
        "state <> 0 AND created < $3",
        {hive_.text(), pruning.endpoint, as_column(pruning.ended_before), batch});
    if (!old) return fail(old.error());
    const auto last = first_too_many(pruning);
    if (!last) return fail(last.error());
    pruned.ended = static_cast<std::uint64_t>(*old);
    if (last->empty()) return pruned;
    const auto many =
        drop("state <> 0 AND id <= $3", {hive_.text(), pruning.endpoint, *last, batch});
    if (!many) return fail(many.error());
    const auto lost =
        drop("state = 0 AND id <= $3", {hive_.text(), pruning.endpoint, *last, batch});
    if (!lost) return fail(lost.error());
    static_assert(pending == 0); // as the statements above have it
    pruned.ended += static_cast<std::uint64_t>(*many);
    pruned.pending = static_cast<std::uint64_t>(*lost);
    return pruned;
}

} // namespace hive::store
