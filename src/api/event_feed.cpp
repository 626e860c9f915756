#include "api/event_feed.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <limits>

namespace hive::api {
namespace {

namespace asio = http::asio;

// What one feed listens to, from its request.
struct Wish {
    Identity who;
    Subscriptions topics;
    std::optional<std::uint64_t> since;
};

ws::FramePtr notice_text(const Gap& gap) {
    return std::make_shared<const std::string>(
        fmt::format("event: gap\ndata: {}\n\n", gap_notice(gap)));
}

// One client that reads a feed. On the connection's thread throughout.
class FeedClient final : public EventHub::Listener {
public:
    FeedClient(const EventFeedParts& parts, Wish wish, http::Stream& stream)
        : parts_{parts}, wish_{std::move(wish)}, stream_{stream}, wake_{stream.executor()},
          membership_{parts.hub.join(stream.executor(), *this)}, delivered_{parts.hub.last()},
          written_{wish_.since ? std::min(*wish_.since, delivered_) : delivered_} {}

    asio::awaitable<void> run() {
        stream_.on_stop([this] {
            ending_ = true;
            wake_.cancel();
        });
        stream_.read_within(Duration::zero()); // we only write, and each write has its deadline
        while (co_await write_queued() && !ending_) {
            if (wish_.since) take_backlog();
            if (!queue_.empty()) continue;
            wake_.expires_after(
                std::chrono::duration_cast<asio::steady_timer::duration>(parts_.heartbeat));
            const auto [woken] = co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable));
            static const auto beat = std::make_shared<const std::string>(": still here\n\n");
            if (!woken) queue_.push_back({beat});
        }
        stream_.on_stop(nullptr);
    }

    void receive(const BroadcastPtr& broadcast) override {
        const StreamEvent& event = broadcast->event();
        if (event.sequence <= delivered_) return;
        delivered_ = event.sequence;
        // While we catch up, it waits in the hub's window.
        if (!wish_.since && wants(event)) enqueue(broadcast->text(), event.sequence);
    }

    std::string_view proof() const override {
        return wish_.who ? wish_.who->proof_id : std::string_view{};
    }

    void dismiss() override {
        static const auto end = std::make_shared<const std::string>(
            "event: end\n"
            R"(data: {"type":"end","code":"signed-out","detail":"your key or session has ended"})"
            "\n\n");
        queue_.clear();
        queue_.push_back({end});
        ending_ = true;
        wake_.cancel();
    }

private:
    static constexpr std::size_t batch_events = 64;

    struct Queued {
        ws::FramePtr text;
        std::uint64_t sequence = 0; // zero: not an event
    };

    bool wants(const StreamEvent& event) const {
        return wish_.topics.wants(event.topic) && parts_.may_hear(wish_.who.get(), event.topic);
    }

    // The next events that were missed; `since` moves along until there are none.
    void take_backlog() {
        const Backlog backlog = parts_.hub.since(*wish_.since, batch_events);
        if (backlog.gap) {
            queue_.push_back({notice_text(*backlog.gap)});
            wish_.since = backlog.gap->last;
        }
        for (const StreamEventPtr& event : backlog.events) {
            if (event->sequence > delivered_) break;
            wish_.since = event->sequence;
            if (wants(*event)) enqueue(Broadcast{event}.text(), event->sequence);
        }
        if (*wish_.since >= delivered_ || backlog.events.empty()) wish_.since.reset();
    }

    void enqueue(const ws::FramePtr& text, std::uint64_t sequence) {
        if (ending_) return;
        if (queue_.size() >= parts_.queued_events) {
            // Too slow: it hears so, and its browser comes back with the last number it saw.
            queue_.clear();
            queue_.push_back({notice_text({written_ + 1, sequence})});
            ending_ = true;
        } else {
            queue_.push_back({text, sequence});
        }
        wake_.cancel();
    }

    // False when the client is gone.
    asio::awaitable<bool> write_queued() {
        while (!queue_.empty()) {
            // Taken off first: enqueue() may clear the queue while we write.
            std::array<ws::FramePtr, 32> taken;
            std::array<asio::const_buffer, 32> buffers;
            std::size_t count = 0;
            for (; count < taken.size() && !queue_.empty(); ++count) {
                taken[count] = std::move(queue_.front().text);
                written_ = std::max(written_, queue_.front().sequence);
                queue_.pop_front();
                buffers[count] = asio::buffer(*taken[count]);
            }
            if (co_await stream_.write({buffers.data(), count})) co_return false;
        }
        co_return true;
    }

    const EventFeedParts& parts_;
    Wish wish_;
    http::Stream& stream_;
    asio::steady_timer wake_;
    EventHub::Membership membership_;
    std::deque<Queued> queue_;
    std::uint64_t delivered_; // the last event that reached this thread
    std::uint64_t written_;   // everything up to here was written, or is being
    bool ending_ = false;
};

asio::awaitable<void>
serve_feed(std::shared_ptr<const EventFeedParts> parts, Wish wish, http::Stream* stream) {
    FeedClient client{*parts, std::move(wish), *stream};
    co_await client.run();
}

std::optional<std::uint64_t> resume_point(const Call& call) {
    if (const auto header = call.request().header("Last-Event-ID")) {
        std::uint64_t value = 0;
        const auto [end, error] =
            std::from_chars(header->data(), header->data() + header->size(), value);
        if (error == std::errc{} && end == header->data() + header->size()) return value;
    }
    const auto since = call.integer("since");
    if (!since) return std::nullopt;
    return static_cast<std::uint64_t>(*since);
}

http::Response open_feed(const std::shared_ptr<const EventFeedParts>& parts, const Call& call) {
    Wish wish{.who = call.identity(), .topics = {}, .since = resume_point(call)};
    std::string_view rest = *call.text("topics");
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        if (auto ok = wish.topics.add(rest.substr(0, comma)); !ok) return call.fail(ok.error());
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    http::Response response{.content_type = "text/event-stream"};
    response.headers.add("X-Accel-Buffering", "no"); // a proxy that waits for more shows nothing
    response.takeover = [parts, wish = std::move(wish)](http::Stream* stream) {
        return serve_feed(parts, wish, stream);
    };
    return response;
}

} // namespace

Route event_feed_route(EventFeedParts parts, Access access) {
    const auto shared = std::make_shared<const EventFeedParts>(std::move(parts));
    return {
        .path = "/api/v1/events",
        .id = "streamEvents",
        .summary = "Live events as server-sent events: by topic, resumable",
        .tag = "events",
        .access = access,
        .handler = SyncHandler{[shared](const Call& call) { return open_feed(shared, call); }},
        .query =
            {{.name = "topics",
              .description = "patterns, separated by commas",
              .range = {.min = 1, .max = 2048},
              .required = true},
             {.name = "since",
              .kind = ParameterKind::integer,
              .description = "resume after this event",
              .range = {.min = 0, .max = std::numeric_limits<std::int64_t>::max()}},
             {.name = "token", .description = "a ticket, where no header can be set"}},
        .answers =
            {{200, "A stream that does not end",
              Content{
                  .schema = {{"type", "string"}},
                  .example = "id: 1\ndata: {}\n\n",
                  .type = "text/event-stream"}}},
        .rate_class = "events"};
}

} // namespace hive::api
