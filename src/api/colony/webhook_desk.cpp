#include "api/colony/webhook_desk.hpp"

#include "api/colony/input.hpp"
#include "api/page.hpp"
#include "kernel/entropy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::rest {
namespace {

using namespace colony::webhooks;
using api::Call;

constexpr Duration overlap_max = std::chrono::hours{24 * 30};

Secret fresh_secret() {
    std::array<std::uint8_t, secret_bytes> bytes{};
    fill_from_entropy(bytes);
    return make_secret(bytes);
}

// A token goes into a header: one line of what a header may hold.
Result<Secret> token_in(const json::object& body) {
    const std::string text = text_of(body, "token");
    const bool clean = std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
    if (!clean) return fail(Errc::invalid, "token: printable characters without spaces");
    return Secret{text};
}

Result<NewEndpoint> endpoint_in(const json::object& body) {
    auto token = token_in(body);
    if (!token) return fail(token.error());
    NewEndpoint wanted{
        .url = text_of(body, "url"),
        .events = words_of(body, "events"),
        .description = text_of(body, "description"),
        .signing = fresh_secret(),
        .token = *std::move(token)};
    if (body.contains("format")) {
        auto format = parse_format(body.at("format").as_string());
        if (!format) return fail(format.error());
        wanted.format = *format;
    }
    if (const auto* enabled = body.if_contains("enabled")) wanted.enabled = enabled->as_bool();
    return wanted;
}

Result<Changes> changes_in(const json::object& body) {
    Changes changes;
    if (body.contains("url")) changes.url = text_of(body, "url");
    if (body.contains("events")) changes.events = words_of(body, "events");
    if (body.contains("description")) changes.description = text_of(body, "description");
    if (const auto* enabled = body.if_contains("enabled")) changes.enabled = enabled->as_bool();
    if (body.contains("format")) {
        auto format = parse_format(body.at("format").as_string());
        if (!format) return fail(format.error());
        changes.format = *format;
    }
    if (body.contains("token")) {
        auto token = token_in(body);
        if (!token) return fail(token.error());
        changes.token = *std::move(token);
    }
    return changes;
}

// The only two answers that have a secret in them.
http::Response with_secret(const Endpoint& endpoint, unsigned status) {
    json::object out = to_json(endpoint);
    out["secret"] = endpoint.secrets.signing.reveal();
    auto response = api::json_response(out, status);
    if (status == 201) response.headers.add("Location", "/api/v1/webhooks/" + endpoint.id);
    return response;
}

http::Response shown(const Endpoint& endpoint) {
    return api::json_response(to_json(endpoint));
}

json::object whole(const Delivery& delivery) {
    json::object out = to_json(delivery);
    if (auto payload = parse_json(delivery.payload)) out["payload"] = *std::move(payload);
    return out;
}

http::Response accepted(const Delivery& delivery) {
    auto response = api::json_response(to_json(delivery), 202);
    response.headers.add(
        "Location",
        fmt::format("/api/v1/webhooks/{}/deliveries/{}", delivery.endpoint, delivery.id));
    return response;
}

std::string no_webhook(std::string_view id) {
    return fmt::format("there is no webhook '{}'", id);
}

} // namespace

WebhookDesk::Later WebhookDesk::act(Call call, OfficeWork work) const {
    co_return co_await rest::act(
        sessions_, call,
        [policy = webhooks_.policy, outbox = &webhooks_.outbox,
         work = std::move(work)](Unit& unit) -> Result<http::Response> {
            WebhookOffice office{unit, policy};
            // Whatever it does: who wants to hear what is read anew, by this unit already.
            outbox->forget();
            return work(*office, unit);
        });
}

WebhookDesk::Later WebhookDesk::list(Call call) const {
    co_return co_await sessions_.transactions.read(
        call,
        [hive = hive(), following = api::NextPage{call.request()}](
            store::Session& session) -> Result<http::Response> {
            auto all = store::WebhookTable{session, hive}.list();
            if (!all) return fail(all.error());
            json::array items;
            for (const Endpoint& endpoint : *all) items.push_back(to_json(endpoint));
            return following.page(std::move(items), {});
        });
}

WebhookDesk::Later WebhookDesk::show(Call call) const {
    co_return co_await sessions_.transactions.read(
        call,
        [hive = hive(), id = std::string{call.path("webhook")}](
            store::Session& session) -> Result<http::Response> {
            auto found = store::WebhookTable{session, hive}.find(id);
            if (!found) return fail(found.error());
            if (!*found) return fail(Errc::not_found, no_webhook(id));
            return shown(**found);
        });
}

WebhookDesk::Later WebhookDesk::create(Call call) const {
    auto wanted = endpoint_in(call.body().as_object());
    if (!wanted) co_return call.fail(wanted.error());
    co_return co_await act(
        call, [wanted = *wanted](Office& office, const Unit& unit) -> Result<http::Response> {
            return answer(unit, colony::webhooks::create(office, wanted), [](const Endpoint& made) {
                return with_secret(made, 201);
            });
        });
}

WebhookDesk::Later WebhookDesk::change(Call call) const {
    auto changes = changes_in(call.body().as_object());
    if (!changes) co_return call.fail(changes.error());
    co_return co_await act(
        call,
        [changes = *changes, id = std::string{call.path("webhook")}](
            Office& office, const Unit& unit) -> Result<http::Response> {
            return answer(unit, colony::webhooks::change(office, id, changes), shown);
        });
}

WebhookDesk::Later WebhookDesk::remove(Call call) const {
    co_return co_await act(
        call,
        [id = std::string{call.path("webhook")}](
            Office& office, const Unit& unit) -> Result<http::Response> {
            return answer(unit, colony::webhooks::remove(office, id), shown);
        });
}

WebhookDesk::Later WebhookDesk::rotate(Call call) const {
    auto overlap = span_of(call.body().as_object(), "overlap");
    if (!overlap) co_return call.fail(overlap.error());
    if (*overlap && **overlap > overlap_max) {
        co_return call.fail(Error{Errc::invalid, "overlap: at most 30 days"});
    }
    co_return co_await act(
        call,
        [id = std::string{call.path("webhook")}, rotation = Rotation{fresh_secret(), *overlap}](
            Office& office, const Unit& unit) -> Result<http::Response> {
            return answer(
                unit, colony::webhooks::rotate(office, id, rotation),
                [](const Endpoint& endpoint) { return with_secret(endpoint, 200); });
        });
}

WebhookDesk::Later WebhookDesk::test(Call call) const {
    co_return co_await act(
        call,
        [id = std::string{call.path("webhook")}](
            Office& office, const Unit& unit) -> Result<http::Response> {
            return answer(unit, colony::webhooks::test(office, id), accepted);
        });
}

WebhookDesk::Later WebhookDesk::deliveries(Call call) const {
    DeliveryQuery query{
        .endpoint = std::string{call.path("webhook")},
        .event = std::string{call.text("event").value_or("")},
        .limit = static_cast<std::size_t>(*call.integer("limit"))};
    const std::string state{call.text("state").value_or("")};
    if (!state.empty()) {
        auto wanted = parse_state(state);
        if (!wanted) co_return call.fail(wanted.error());
        query.state = *wanted;
    }
    const std::string listing =
        fmt::format("deliveries/{}?{}&{}", query.endpoint, state, query.event);
    if (const auto cursor = call.text("cursor")) {
        auto before = sessions_.cursors.decode(listing, *cursor);
        if (!before) co_return call.fail(before.error());
        query.before = *std::move(before);
    }
    co_return co_await sessions_.transactions.read(
        call,
        [query = std::move(query), listing, hive = hive(), cursors = &sessions_.cursors,
         following =
             api::NextPage{call.request()}](store::Session& session) -> Result<http::Response> {
            const auto known = store::WebhookTable{session, hive}.find(query.endpoint);
            if (!known) return fail(known.error());
            if (!*known) return fail(Errc::not_found, no_webhook(query.endpoint));
            auto found = store::DeliveryTable{session, hive}.list(query);
            if (!found) return fail(found.error());
            json::array items;
            for (const Delivery& delivery : *found) items.push_back(to_json(delivery));
            const bool more = found->size() == query.limit;
            return following.page(
                std::move(items),
                more ? cursors->encode(listing, found->back().id) : std::string{});
        });
}

WebhookDesk::Later WebhookDesk::delivery(Call call) const {
    co_return co_await sessions_.transactions.read(
        call,
        [hive = hive(), webhook = std::string{call.path("webhook")},
         id = std::string{call.path("delivery")}](
            store::Session& session) -> Result<http::Response> {
            auto found = store::DeliveryTable{session, hive}.find(id);
            if (!found) return fail(found.error());
            if (!*found || (*found)->endpoint != webhook) {
                return fail(Errc::not_found, fmt::format("there is no delivery '{}'", id));
            }
            return api::json_response(whole(**found));
        });
}

WebhookDesk::Later WebhookDesk::replay(Call call) const {
    co_return co_await act(
        call,
        [webhook = std::string{call.path("webhook")}, id = std::string{call.path("delivery")}](
            Office& office, const Unit& unit) -> Result<http::Response> {
            return answer(unit, colony::webhooks::replay(office, webhook, id), accepted);
        });
}

WebhookDesk::Later WebhookDesk::replay_all(Call call) const {
    const json::object& body = call.body().as_object();
    auto since = time_of(body, "since");
    if (!since) co_return call.fail(since.error());
    if (!*since) co_return call.fail(Error{Errc::invalid, "since: a time is missing"});
    const Replay wanted{.since = **since, .only_failed = text_of(body, "which") != "all"};
    co_return co_await act(
        call,
        [webhook = std::string{call.path("webhook")},
         wanted](Office& office, const Unit& unit) -> Result<http::Response> {
            return answer(
                unit, colony::webhooks::replay_all(office, webhook, wanted), [](std::size_t count) {
                    return api::json_response(json::object{{"replayed", count}}, 202);
                });
        });
}

} // namespace hive::rest
