#include "api/colony/channel_routes.hpp"

#include "api/colony/input.hpp"
#include "api/page.hpp"
#include "api/rest/held_answer.hpp"
#include "api/rest/schemas.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

using namespace colony::channels;
using api::Access;
using api::Area;
using api::Call;
using api::Level;

using Routes = std::vector<api::Route>;

Result<NewMessage> message_in(std::string channel, const json::object& body) {
    auto within = span_of(body, "ackWithin");
    if (!within) return fail(within.error());
    NewMessage wanted{
        .channel = std::move(channel),
        .content = text_of(body, "content"),
        .reply_to = text_of(body, "replyTo"),
        .tags = words_of(body, "tags"),
        .metadata = object_of(body, "metadata"),
        .ack_from = words_of(body, "ackFrom"),
        .ack_within = *within};
    if (auto ok = check_words(wanted.tags, "tags"); !ok) return fail(ok.error());
    if (auto type = text_of(body, "type"); !type.empty()) wanted.type = std::move(type);
    return wanted;
}

// What a bee may still say, as the rate limit headers have it.
void put_allowance(http::Response& response, const Allowance& left, const QuotaPolicy& policy) {
    response.headers.add(
        "RateLimit-Policy", fmt::format(
                                "\"messages\";q={};w=60, \"messages-day\";q={};w=86400",
                                policy.per_minute, policy.per_day));
    response.headers.add(
        "RateLimit",
        fmt::format(
            "\"messages\";r={};t={}, \"messages-day\";r={}", left.left_now,
            std::chrono::ceil<std::chrono::seconds>(left.again_in).count(), left.left_today));
}

class ChannelDesk {
public:
    ChannelDesk(const SessionParts& sessions, ColonyParts& colony)
        : sessions_{sessions}, colony_{&colony} {}

    asio::awaitable<http::Response> channels(Call call) const {
        const auto limit = static_cast<std::size_t>(*call.integer("limit"));
        std::string after;
        if (const auto cursor = call.text("cursor")) {
            auto name = sessions_.cursors.decode("channels", *cursor);
            if (!name) co_return call.fail(name.error());
            after = *std::move(name);
        }
        co_return co_await sessions_.transactions.read(
            call,
            [limit, after, hive = hive(), reader = call.principal()->id,
             cursors = &sessions_.cursors, following = api::NextPage{call.request()}](
                store::Session& session) -> Result<http::Response> {
                const store::MessageTable book{session, hive};
                auto found = book.channels(after, limit);
                if (!found) return fail(found.error());
                json::array items;
                for (const ChannelSummary& one : *found) {
                    const auto unread = book.unread(reader, one.name);
                    if (!unread) return fail(unread.error());
                    items.push_back(
                        {{"name", one.name},
                         {"messages", one.messages},
                         {"unread", *unread},
                         {"last", one.last},
                         {"changedAt", format_timestamp(one.changed)}});
                }
                return following.page(
                    std::move(items), found->size() == limit
                                          ? cursors->encode("channels", found->back().name)
                                          : std::string{});
            });
    }

    asio::awaitable<http::Response> messages(Call call) const {
        auto channel = parse_channel(call.path("channel"));
        if (!channel) co_return call.fail(channel.error());
        MessageQuery query{
            .channel = channel->name,
            .tag = std::string{call.text("tag").value_or("")},
            .after = std::string{call.text("after").value_or("")},
            .limit = static_cast<std::size_t>(*call.integer("limit"))};
        const std::string listing = fmt::format("messages/{}?{}", query.channel, query.tag);
        if (const auto cursor = call.text("cursor")) {
            auto before = sessions_.cursors.decode(listing, *cursor);
            if (!before) co_return call.fail(before.error());
            query.before = *std::move(before);
        }
        co_return co_await page(call, std::move(query), listing);
    }

    asio::awaitable<http::Response> thread(Call call) const {
        MessageQuery query{.thread = std::string{call.path("message")}, .limit = 1000};
        co_return co_await page(call, std::move(query), {});
    }

    asio::awaitable<http::Response> show(Call call) const {
        co_return co_await sessions_.transactions.read(
            call,
            [id = std::string{call.path("message")},
             hive = hive()](store::Session& session) -> Result<http::Response> {
                auto message = store::MessageTable{session, hive}.find(id);
                if (!message) return fail(message.error());
                if (!*message) return fail(Errc::not_found, "there is no message " + id);
                return api::json_response(to_json(**message));
            });
    }

    asio::awaitable<http::Response> say(Call call) const {
        auto wanted = message_in(std::string{call.path("channel")}, call.body().as_object());
        if (!wanted) co_return call.fail(wanted.error());
        auto response = co_await act(
            call,
            [wanted = *wanted,
             colony = colony_](Workplace& place, const Unit& unit) -> Result<http::Response> {
                if (auto ok = check_subject(place, wanted.channel); !ok) {
                    return unit.refuse(ok.error());
                }
                const auto posted = post(place.desk(), wanted, Counting::counted);
                return answer(unit, posted, [&](const Posted& done) {
                    const std::string& held = unit.moment().held();
                    if (!held.empty()) return held_response(held);
                    auto said = api::json_response(to_json(done.message), 201);
                    said.headers.add("Location", "/api/v1/messages/" + done.message.id);
                    if (done.allowance) put_allowance(said, *done.allowance, colony->policy.quota);
                    return said;
                });
            });
        if (response.status == 429) count_refusal(call);
        co_return response;
    }

    asio::awaitable<http::Response> acknowledge(Call call) const {
        co_return co_await act(
            call,
            [id = std::string{call.path("message")}](
                Workplace& place, const Unit& unit) -> Result<http::Response> {
                const auto done = colony::channels::acknowledge(place.desk(), id);
                return answer(unit, done, [&](const Message& message) {
                    const std::string& held = unit.moment().held();
                    return held.empty() ? api::json_response(to_json(message))
                                        : held_response(held);
                });
            });
    }

    asio::awaitable<http::Response> move_cursor(Call call) const {
        co_return co_await act(
            call,
            [channel = std::string{call.path("channel")},
             message = text_of(call.body().as_object(), "message")](
                Workplace& place, const Unit& unit) -> Result<http::Response> {
                const auto done = read_up_to(place.desk(), channel, message);
                return answer(unit, done, [](const std::string& at) {
                    return api::json_response(json::object{{"message", at}});
                });
            });
    }

private:
    const HiveId& hive() const { return sessions_.transactions.chronicle().hive(); }

    // The refused post was undone as a whole: the refusal is counted by a unit of its own.
    void count_refusal(const Call& call) const {
        const auto work = [hive = hive(), actor = colony_actor(*call.principal()),
                           colony = colony_](Change& change) -> Status {
            Unit unit{change, hive, actor};
            Workplace place{unit, *colony};
            if (auto counted = strike(place.desk()); !counted) {
                return fail(counted.error().kind, counted.error().detail);
            }
            return unit.record();
        };
        // A store that cannot take it has refused the post for that reason before.
        (void)sessions_.transactions.change(cause_of(call), work, {});
    }

    // A message to a task that does not exist would be read by nobody.
    static colony::Outcome<void> check_subject(Workplace& place, const std::string& name) {
        const auto channel = parse_channel(name);
        if (!channel) return colony::refuse(channel.error());
        if (channel->kind != Channel::Kind::task) return {};
        const auto task = find_task(place.bench(), channel->subject);
        if (!task) return colony::refuse(task.error());
        return {};
    }

    asio::awaitable<http::Response> act(Call call, PlaceWork work) const {
        return act_in_colony(sessions_, *colony_, call, std::move(work));
    }

    asio::awaitable<http::Response> page(Call call, MessageQuery query, std::string listing) const {
        co_return co_await sessions_.transactions.read(
            call,
            [query = std::move(query), listing = std::move(listing), hive = hive(),
             cursors = &sessions_.cursors, following = api::NextPage{call.request()}](
                store::Session& session) -> Result<http::Response> {
                auto found = store::MessageTable{session, hive}.list(query);
                if (!found) return fail(found.error());
                json::array items;
                for (const Message& message : *found) items.push_back(to_json(message));
                const bool more =
                    !listing.empty() && query.after.empty() && found->size() == query.limit;
                return following.page(
                    std::move(items),
                    more ? cursors->encode(listing, found->back().id) : std::string{});
            });
    }

    SessionParts sessions_;
    ColonyParts* colony_;
};

using Desk = std::shared_ptr<const ChannelDesk>;

api::Content page_of(std::string_view name, json::value example) {
    return {.schema = list_of(name), .example = {{"items", json::array{std::move(example)}}}};
}

api::Route route(http::Method method, std::string path, std::string id, std::string summary) {
    const bool reads = method == http::Method::get;
    return {
        .method = method,
        .path = std::move(path),
        .id = std::move(id),
        .summary = std::move(summary),
        .tag = "channels",
        .access = Access::needs(Area::channels, reads ? Level::read : Level::write),
        .handler = {},
        .idempotency = reads ? api::Idempotency::refused : api::Idempotency::accepted};
}

std::vector<api::QueryParameter> paging() {
    return {
        {.name = "limit",
         .kind = api::ParameterKind::integer,
         .range = {1, 1000},
         .fallback = std::int64_t{100}},
        {.name = "cursor", .description = "`next` of the page before", .range = {1, 512}}};
}

void add_reading(Routes& routes, const Desk& desk) {
    auto all = route(
        http::Method::get, "/api/v1/channels", "listChannels", "Channels that have been used");
    all.handler = api::AsyncHandler{[desk](Call call) { return desk->channels(call); }};
    all.query = paging();
    all.answers = {
        {200, "A page",
         page_of(
             "Channel", {{"name", "general"},
                         {"messages", 12},
                         {"unread", 2},
                         {"last", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a12"},
                         {"changedAt", "2026-01-05T10:00:00Z"}})}};
    routes.push_back(std::move(all));

    auto list = route(
        http::Method::get, "/api/v1/channels/{channel:text}/messages", "listMessages",
        "Messages, the newest first; after an id: what came since, the oldest first");
    list.handler = api::AsyncHandler{[desk](Call call) { return desk->messages(call); }};
    list.query = paging();
    list.query.push_back({.name = "after", .description = "the last message already seen"});
    list.query.push_back({.name = "tag"});
    list.answers = {{200, "A page", page_of("Message", message_content().example)}};
    routes.push_back(std::move(list));

    auto show =
        route(http::Method::get, "/api/v1/messages/{message:uuid}", "getMessage", "One message");
    show.handler = api::AsyncHandler{[desk](Call call) { return desk->show(call); }};
    show.answers = {{200, "The message", message_content()}};
    routes.push_back(std::move(show));

    auto thread = route(
        http::Method::get, "/api/v1/messages/{message:uuid}/thread", "getThread",
        "A message and all replies to it, the oldest first");
    thread.handler = api::AsyncHandler{[desk](Call call) { return desk->thread(call); }};
    thread.answers = {{200, "The thread", page_of("Message", message_content().example)}};
    routes.push_back(std::move(thread));
}

void add_changing(Routes& routes, const Desk& desk) {
    auto say = route(
        http::Method::post, "/api/v1/channels/{channel:text}/messages", "sendMessage",
        "Say something in `general`, `task:<ref>`, `bee:<id>` or a channel of its own");
    say.handler = api::AsyncHandler{[desk](Call call) { return desk->say(call); }};
    say.request =
        api::Content{.schema = ref("NewMessage"), .example = {{"content", "Starting with TASK-9"}}};
    say.answers = {{201, "Said", message_content()}, held_answer()};
    routes.push_back(std::move(say));

    auto ack = route(
        http::Method::post, "/api/v1/messages/{message:uuid}/ack", "acknowledgeMessage",
        "I have seen it, for those who were asked to say so");
    ack.handler = api::AsyncHandler{[desk](Call call) { return desk->acknowledge(call); }};
    ack.answers = {{200, "The message", message_content()}, held_answer()};
    routes.push_back(std::move(ack));

    auto cursor = route(
        http::Method::put, "/api/v1/channels/{channel:text}/cursor", "readChannel",
        "How far the caller has read; it only moves forwards");
    cursor.handler = api::AsyncHandler{[desk](Call call) { return desk->move_cursor(call); }};
    const json::object example{{"message", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a12"}};
    cursor.request = api::Content{.schema = ref("ReadCursor"), .example = example};
    cursor.answers = {
        {200, "Where it is now", api::Content{.schema = ref("ReadCursor"), .example = example}}};
    routes.push_back(std::move(cursor));
}

} // namespace

std::vector<api::Route> channel_routes(const SessionParts& sessions, ColonyParts& colony) {
    const auto desk = std::make_shared<const ChannelDesk>(sessions, colony);
    Routes routes;
    add_reading(routes, desk);
    add_changing(routes, desk);
    return routes;
}

Chore channel_chore(const HiveId& hive, ColonyParts& colony) {
    const auto work = [&colony](Unit& unit) -> Status {
        Workplace place{unit, colony};
        const auto told = report_overdue(place.desk(), 100);
        return told ? Status{} : fail(told.error().kind, told.error().detail);
    };
    return {.name = "channels", .every = std::chrono::seconds{1}, .work = as_chore(hive, work)};
}

} // namespace hive::rest
