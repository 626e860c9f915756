#include "api/event_socket.hpp"

#include "api/channel_topics.hpp"
#include "api/ws/handshake.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace hive::api {
namespace {

namespace asio = http::asio;

// One client of /ws. On the connection's thread throughout.
class EventClient final : public ws::Session::Listener, public EventHub::Listener {
public:
    EventClient(const EventSocketParts& parts, Identity who, http::Stream& stream)
        : parts_{parts}, who_{std::move(who)}, session_{stream, parts.limits, *this},
          executor_{stream.executor()}, membership_{parts.hub.join(executor_, *this)},
          delivered_{parts.hub.last()}, from_{delivered_} {}

    asio::awaitable<void> run() {
        if (session_.send_text(
                fmt::format(R"({{"type":"welcome","protocol":1,"seq":{}}})", delivered_))) {
            co_await session_.run();
        }
    }

    void receive(const BroadcastPtr& broadcast) override {
        const StreamEvent& event = broadcast->event();
        // What was published before we joined, or sent as backlog, may still be under way.
        if (event.sequence <= delivered_) return;
        delivered_ = event.sequence;
        if (!catching_up_ && wants(topics_, event)) deliver(broadcast->frame(), event.sequence);
    }

    std::string_view proof() const override { return who_ ? who_->proof_id : std::string_view{}; }

    void dismiss() override {
        session_.close(ws::CloseCode::signed_out, "your key or session has ended");
    }

    void on_binary(std::string_view) override {
        session_.close(ws::CloseCode::unsupported_data, "send JSON text");
    }

    void on_drained() override { catch_up(); }

    void on_text(std::string_view text) override {
        auto request = parse_json(text, {.bytes = text.size(), .depth = 4});
        if (!request) return problem("invalid-json", request.error().detail);
        auto* object = request->if_object();
        if (object != nullptr && object->contains("action") && !translate(*object)) return;
        const auto* op = object ? object->if_contains("op") : nullptr;
        if (op == nullptr || !op->is_string()) return problem("invalid-input", "op is missing");
        if (op->get_string() == "subscribe") return subscribe(*object);
        if (op->get_string() == "unsubscribe") return unsubscribe(*object);
        problem("invalid-input", "op must be subscribe or unsubscribe");
    }

private:
    static constexpr std::size_t batch_events = 64;

    struct Wish {
        json::value topics;    // as the client wrote them
        Subscriptions added;   // the same
        json::value channel{}; // what it called them; null: nothing
    };

    struct CatchUp {
        Subscriptions added;     // what is caught up with, for events
        std::uint64_t until = 0; // up to here; after that, everything the client wants
        std::uint64_t at = 0;    // the last event looked at
    };

    bool wants(const Subscriptions& topics, const StreamEvent& event) const {
        return topics.wants(event.topic) && parts_.may_hear(who_.get(), event.topic);
    }

    void deliver(const ws::FramePtr& frame, std::uint64_t sequence) {
        if (session_.send(frame, sequence)) return;
        session_.cut(
            [&](std::uint64_t last) {
                return ws::make_frame(
                    ws::Opcode::text, gap_notice({std::max(last, from_) + 1, delivered_}));
            },
            ws::CloseCode::slow_consumer, "you read too slowly; resume after the last event");
    }

    void say(const std::string& text) {
        if (!session_.send_text(text)) {
            session_.close(ws::CloseCode::policy, "you ask faster than you read");
        }
    }

    void problem(std::string_view code, std::string_view detail) {
        say(to_text(json::object{{"type", "problem"}, {"code", code}, {"detail", detail}}));
    }

    // The words of the first clients as ours: {"action":"subscribe","channel":"task:TASK-009"}.
    // False when they make no sense, which the client has been told then.
    bool translate(json::object& request) {
        const auto* channel = request.if_contains("channel");
        if (channel == nullptr || !channel->is_string()) {
            problem("invalid-input", "channel must be its name");
            return false;
        }
        const auto topics = topics_of_channel(channel->get_string());
        if (!topics) {
            problem(name_of(topics.error().code), topics.error().detail);
            return false;
        }
        json::value op = request.at("action"); // a copy: adding to the object moves what is in it
        request["op"] = std::move(op);
        json::array list;
        for (const std::string& topic : *topics) list.emplace_back(topic);
        request["topics"] = std::move(list);
        return true;
    }

    // A reply to what was asked, in the words it was asked in.
    void confirm(json::object reply, const json::value& channel) {
        if (!channel.is_null()) reply["channel"] = channel;
        say(to_text(reply));
    }

    // The topics of a request; empty when they are wrong, which the client has been told then.
    std::vector<std::string> topics_of(const json::object& request) {
        std::vector<std::string> topics;
        const auto* list = request.if_contains("topics");
        if (list != nullptr && list->is_array()) {
            for (const json::value& topic : list->get_array()) {
                if (!topic.is_string()) {
                    topics.clear();
                    break;
                }
                topics.emplace_back(topic.get_string());
            }
        }
        if (topics.empty()) problem("invalid-input", "topics must be a list of patterns");
        return topics;
    }

    void subscribe(const json::object& request) {
        const auto topics = topics_of(request);
        if (topics.empty()) return;
        Subscriptions added;
        Subscriptions all = topics_;
        for (const std::string& topic : topics) {
            auto ok = all.add(topic);
            if (ok) ok = added.add(topic);
            if (!ok) return problem(name_of(ok.error().code), ok.error().detail);
        }
        const auto* since = request.if_contains("since");
        if (since != nullptr && !since->is_int64()) {
            return problem("invalid-input", "since must be the number of an event");
        }
        const auto* snapshot = request.if_contains("snapshot");
        const bool wants_state = snapshot != nullptr && *snapshot == true;
        if (wants_state && since != nullptr) {
            return problem("invalid-input", "ask for a snapshot or resume, not both");
        }
        if ((wants_state || since != nullptr) && (catching_up_ || reading_state_)) {
            return problem("busy", "the subscription before this one is still catching up");
        }
        Wish wish{request.at("topics"), std::move(added)};
        if (const auto* channel = request.if_contains("channel")) wish.channel = *channel;
        if (wants_state) return begin_with_state(std::move(wish));
        std::optional<std::uint64_t> after;
        if (since != nullptr) {
            after = static_cast<std::uint64_t>(std::max<std::int64_t>(since->get_int64(), 0));
        }
        complete(std::move(wish), after);
    }

    // Events that follow number `after` and were missed come first.
    void complete(Wish wish, std::optional<std::uint64_t> after) {
        for (const json::value& topic : wish.topics.as_array()) {
            if (auto ok = topics_.add(topic.get_string()); !ok) {
                return problem(name_of(ok.error().code), ok.error().detail);
            }
        }
        confirm(
            {{"type", "subscribed"}, {"topics", std::move(wish.topics)}, {"seq", delivered_}},
            wish.channel);
        if (!after) return;
        from_ = std::min(from_, *after);
        catching_up_ = CatchUp{.added = std::move(wish.added), .until = delivered_, .at = *after};
        catch_up();
    }

    void begin_with_state(Wish wish) {
        reading_state_ = true;
        // Read beside the connection, which may be gone when it is there.
        asio::co_spawn(
            executor_, send_state(this, std::weak_ptr{alive_}, parts_.snapshots, std::move(wish)),
            asio::detached);
    }

    // Touches the client only while it lives; both are on one thread.
    static asio::awaitable<void> send_state(
        EventClient* client, std::weak_ptr<char> alive, std::vector<SnapshotSource> sources,
        Wish wish) {
        const std::uint64_t from = client->delivered_;
        const Identity who = client->who_;
        for (const SnapshotSource& source : sources) {
            if (alive.expired()) co_return;
            const std::string name = source.topic + ".snapshot";
            if (!wish.added.wants(name) || !client->parts_.may_hear(who.get(), name)) continue;
            auto state = co_await source.read(who);
            if (alive.expired()) co_return;
            if (!state) {
                client->reading_state_ = false;
                co_return client->problem(name_of(state.error().code), state.error().detail);
            }
            client->say(fmt::format(
                R"({{"type":"snapshot","topic":"{}","seq":{},"data":{}}})", source.topic, from,
                *state));
        }
        if (alive.expired()) co_return;
        client->reading_state_ = false;
        client->complete(std::move(wish), from);
    }

    // Sends what was missed as fast as the client reads it. What happens meanwhile waits in the
    // hub's window, so a long backlog is not mistaken for a slow client.
    void catch_up() {
        while (catching_up_ && !session_.writing() && !session_.closing()) {
            const Backlog backlog = parts_.hub.since(catching_up_->at, batch_events);
            if (backlog.gap) {
                say(gap_notice(*backlog.gap));
                catching_up_->at = backlog.gap->last;
            }
            for (const StreamEventPtr& event : backlog.events) {
                if (session_.writing()) return; // on_drained() brings us back
                // Later ones are on their way to us already.
                if (event->sequence > delivered_) break;
                catching_up_->at = event->sequence;
                const auto& topics =
                    event->sequence <= catching_up_->until ? catching_up_->added : topics_;
                if (wants(topics, *event)) deliver(Broadcast{event}.frame(), event->sequence);
            }
            if (catching_up_->at >= delivered_ || backlog.events.empty()) catching_up_.reset();
        }
    }

    void unsubscribe(const json::object& request) {
        const auto topics = topics_of(request);
        if (topics.empty()) return;
        for (const std::string& topic : topics) topics_.remove(topic);
        const auto* channel = request.if_contains("channel");
        confirm(
            {{"type", "unsubscribed"}, {"topics", request.at("topics")}},
            channel == nullptr ? json::value{} : *channel);
    }

    const EventSocketParts& parts_;
    Identity who_;
    ws::Session session_;
    asio::any_io_executor executor_;
    EventHub::Membership membership_;
    Subscriptions topics_;
    std::uint64_t delivered_; // the last event that reached this thread
    std::uint64_t from_;      // what it hears comes after this one
    std::optional<CatchUp> catching_up_;
    bool reading_state_ = false;
    std::shared_ptr<char> alive_ = std::make_shared<char>(); // ends with the client
};

// Parts are shared by all sockets of the route and outlive each.
asio::awaitable<void>
serve_socket(std::shared_ptr<const EventSocketParts> parts, Identity who, http::Stream* stream) {
    EventClient client{*parts, std::move(who), *stream};
    co_await client.run();
}

http::Response open_socket(const std::shared_ptr<const EventSocketParts>& parts, const Call& call) {
    if (!is_own_origin(parts->origins, call.request(), parts->own_url())) {
        const Problem problem{
            .status = 403,
            .code = "foreign-origin",
            .detail = "scripts of that site may not connect here"};
        if (parts->denials != nullptr) parts->denials->denied(call, problem);
        return call.fail(problem);
    }
    auto upgraded = ws::accept_upgrade(call.request());
    if (!upgraded) {
        Problem problem = problem_of(upgraded.error());
        if (problem.status == 426) {
            problem.headers.add("Upgrade", "websocket");
            problem.headers.add("Sec-WebSocket-Version", "13");
        }
        return call.fail(problem);
    }
    upgraded->takeover = [parts, who = call.identity()](http::Stream* stream) {
        return serve_socket(parts, who, stream);
    };
    return std::move(*upgraded);
}

} // namespace

Route event_socket_route(EventSocketParts parts, Access access) {
    const auto shared = std::make_shared<const EventSocketParts>(std::move(parts));
    return {
        .path = "/ws",
        .id = "openEventSocket",
        .summary = "Live events over WebSocket: subscribe by topic, resume by number",
        .tag = "events",
        .access = access,
        .handler = SyncHandler{[shared](const Call& call) { return open_socket(shared, call); }},
        .query = {{.name = "token", .description = "a ticket, where no header can be set"}},
        .answers =
            {{101, "The connection speaks WebSocket from here on"},
             {426, "The request was not an upgrade"}},
        .rate_class = "events"};
}

} // namespace hive::api
