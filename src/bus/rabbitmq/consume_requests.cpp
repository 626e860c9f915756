// What callers ask of the consume loop: each request runs on the loop's thread.
#include "bus/rabbitmq/consume_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>

namespace hive::bus::rabbitmq {
namespace {

using namespace std::chrono_literals;

constexpr Duration resume_pause = 500ms;

bool is_locked(const Error& error) {
    return error.detail.find("RESOURCE_LOCKED") != std::string::npos;
}

} // namespace

template <class T>
Result<T> ConsumeLoop::call(std::function<Result<T>(Session&)> action) {
    if (on_own_thread()) {
        return fail(Errc::invalid, "a callback of the bus must not wait for the broker");
    }
    {
        const std::lock_guard lock{mutex_};
        if (!up_) return fail(away_);
    }
    struct Answer {
        std::promise<Result<T>> promise;
        std::atomic<bool> abandoned{false};
    };
    // Shared with a request that may run after its caller gave up.
    auto answer = std::make_shared<Answer>();
    auto future = answer->promise.get_future();
    post([answer, action = std::move(action)](Session* session, const Error& away) {
        if (answer->abandoned) return;
        answer->promise.set_value(session == nullptr ? Result<T>{fail(away)} : action(*session));
    });
    const auto deadline = deadline_after(options().request_timeout);
    if (future.wait_until(steady(deadline)) != std::future_status::ready) {
        answer->abandoned = true;
        return fail(
            Errc::timeout,
            fmt::format("no answer from RabbitMQ at {} in time", options().endpoint.where()));
    }
    return future.get();
}

// Another party removed what we once declared: it stays removed.
template <class T>
Result<T> ConsumeLoop::noting_absence(const std::string& queue, Result<T> answer) {
    if (!answer && answer.error().code == Errc::not_found) declared_.remove_queue(queue);
    return answer;
}

Status ConsumeLoop::consume(const std::shared_ptr<Intake>& intake) {
    intake->on_settled([loop = std::weak_ptr<IoLoop>{shared_from_this()},
                        raw = static_cast<const Intake*>(intake.get())](bool urgent) {
        const auto self = std::static_pointer_cast<ConsumeLoop>(loop.lock());
        if (!self) return;
        {
            const std::lock_guard lock{self->mutex_};
            self->settled_.emplace_back(raw, urgent);
        }
        self->wake();
    });
    auto opened = call<void>([this, intake](Session& session) -> Status {
        auto consumer = std::make_unique<Consumer>();
        consumer->intake = intake;
        consumers_.push_back(std::move(consumer));
        auto started = start_consumer(session, *consumers_.back());
        if (!started) consumers_.pop_back();
        return noting_absence(intake->queue(), std::move(started));
    });
    if (!opened && opened.error().code == Errc::timeout) close(intake); // it may still start
    return opened;
}

Status ConsumeLoop::start_consumer(Session& session, Consumer& consumer) {
    std::size_t number = 2; // the first is for topology calls
    while (at_channel(static_cast<amqp_channel_t>(number)) != nullptr ||
           std::ranges::find(resting_, number) != resting_.end()) {
        ++number;
    }
    const int most = amqp_get_channel_max(session.raw());
    if (most > 0 && number > static_cast<std::size_t>(most)) {
        return fail(
            Errc::limit,
            fmt::format("no more than {} consumers fit one connection to RabbitMQ", most - 1));
    }
    const auto channel = static_cast<amqp_channel_t>(number);
    const auto& queue = consumer.intake->queue();
    const auto doing = fmt::format("consume queue '{}'", queue);
    amqp_channel_open(session.raw(), channel);
    if (auto ok = session.outcome(channel, doing); !ok) return ok;
    amqp_basic_qos(
        session.raw(), channel, 0, static_cast<std::uint16_t>(consumer.intake->prefetch()), 0);
    if (auto ok = session.outcome(channel, doing); !ok) return ok;
    if (by_channel_.size() <= number) by_channel_.resize(number + 1, nullptr);
    by_channel_[number] = &consumer; // deliveries may follow the consent at once
    amqp_basic_consume(
        session.raw(), channel, bytes_of(queue), amqp_cstring_bytes("hive"), 0, 0, 0,
        amqp_empty_table);
    if (auto ok = session.outcome(channel, doing); !ok) {
        by_channel_[number] = nullptr;
        return ok;
    }
    consumer.channel = channel;
    return {};
}

void ConsumeLoop::close(const std::shared_ptr<Intake>& intake) {
    auto action = [this, intake](Session* session) {
        Consumer* consumer = find(intake.get());
        if (consumer == nullptr || consumer->gone) return;
        if (session != nullptr && flush(*session, *consumer, Held::go_too))
            close_channel(*session, *consumer);
        consumer->gone = true;
        drop_gone();
        if (std::ranges::none_of(consumers_, [&](const auto& other) {
                return other->intake->queue() == intake->queue();
            })) {
            declared_.forget_auto_delete(intake->queue());
        }
    };
    if (on_own_thread()) {
        // Not from inside the frame that is being handled; soon is good enough.
        post([action](Session* session, const Error&) { action(session); });
        return;
    }
    auto done = std::make_shared<std::promise<void>>();
    auto future = done->get_future();
    {
        const std::lock_guard lock{mutex_};
        if (!up_ && away_.code == Errc::closed) return; // everything was returned already
        if (!up_) done = nullptr;                       // nobody to wait for
    }
    post([action, done](Session* session, const Error&) {
        action(session);
        if (done) done->set_value();
    });
    if (done) future.wait_until(steady(deadline_after(options().request_timeout)));
}

void ConsumeLoop::cancel(const std::shared_ptr<Intake>& intake) {
    post([this, intake](Session* session, const Error&) {
        Consumer* consumer = find(intake.get());
        if (consumer == nullptr || consumer->gone) return;
        consumer->cancelled = true;
        if (session == nullptr || consumer->channel == 0) {
            consumer->gone = true;
        } else {
            amqp_basic_cancel(session->raw(), consumer->channel, amqp_cstring_bytes("hive"));
            const auto doing = fmt::format("stop consuming queue '{}'", intake->queue());
            if (!session->outcome(consumer->channel, doing)) return;
            if (!flush(*session, *consumer, Held::go_too)) return;
        }
        if (std::ranges::none_of(consumers_, [&](const auto& other) {
                return !other->cancelled && other->intake->queue() == intake->queue();
            })) {
            declared_.forget_auto_delete(intake->queue());
        }
    });
}

Status ConsumeLoop::declare(const Layout& layout) {
    return call<void>([this, layout](Session&) -> Status {
        for (const auto& exchange : layout.exchanges) {
            if (auto ok = topology_->declare(exchange); !ok) return ok;
            declared_.add(exchange);
        }
        for (const auto& queue : layout.queues) {
            if (auto ok = topology_->declare(queue); !ok) return ok;
            declared_.add(queue);
        }
        for (const auto& binding : layout.bindings) {
            if (auto ok = topology_->bind(binding); !ok) return ok;
            declared_.add(binding);
        }
        return {};
    });
}

Status ConsumeLoop::bind(const Binding& binding) {
    return declare({.bindings = {binding}});
}

Status ConsumeLoop::unbind(const Binding& binding) {
    return call<void>([this, binding](Session& session) -> Status {
        auto done = topology_->unbind(binding);
        if (done || session.broken()) declared_.remove(binding);
        return done;
    });
}

Status ConsumeLoop::remove_queue(const std::string& name) {
    return call<void>([this, name](Session& session) -> Status {
        auto done = topology_->remove_queue(name);
        // Without an answer it may be gone, and that is what was wanted.
        if (done || session.broken()) declared_.remove_queue(name);
        return done;
    });
}

Status ConsumeLoop::remove_exchange(const std::string& name) {
    return call<void>([this, name](Session& session) -> Status {
        auto done = topology_->remove_exchange(name);
        if (done || session.broken()) declared_.remove_exchange(name);
        return done;
    });
}

Result<QueueStats> ConsumeLoop::inspect(const std::string& queue) {
    return call<QueueStats>(
        [this, queue](Session&) { return noting_absence(queue, topology_->inspect(queue)); });
}

Result<std::size_t> ConsumeLoop::purge(const std::string& queue) {
    return call<std::size_t>(
        [this, queue](Session&) { return noting_absence(queue, topology_->purge(queue)); });
}

// Declares again what this connection had and starts its consumers. What others changed in the
// meantime is theirs: told, not fought. Only an exclusive queue that the broker still counts for
// our lost connection is worth another try.
Status ConsumeLoop::recover(Session& session) {
    const auto tolerate = [&](const Status& status) -> Status {
        if (status) return {};
        if (session.broken() || is_locked(status.error())) return status;
        notice("after reconnecting: " + status.error().detail);
        return {};
    };
    const Layout layout = declared_.layout();
    for (const auto& exchange : layout.exchanges) {
        if (auto ok = tolerate(topology_->declare(exchange)); !ok) return ok;
    }
    for (const auto& queue : layout.queues) {
        if (auto ok = tolerate(topology_->declare(queue)); !ok) return ok;
    }
    for (const auto& binding : layout.bindings) {
        if (auto ok = tolerate(topology_->bind(binding)); !ok) return ok;
    }
    for (auto& consumer : consumers_) {
        consumer->resume_until = deadline_after(options().request_timeout);
        resume(session, *consumer);
        if (session.broken()) return fail(*session.broken());
    }
    drop_gone();
    return {};
}

// A queue that its owner has not declared again yet gets some time.
void ConsumeLoop::resume(Session& session, Consumer& consumer) {
    consumer.resume_at = TimePoint::max();
    auto started = start_consumer(session, consumer);
    if (started || session.broken()) return;
    const bool may_come = started.error().code == Errc::not_found || is_locked(started.error());
    if (may_come && steady_now() < consumer.resume_until) {
        consumer.resume_at = deadline_after(resume_pause);
    } else {
        end(consumer, started.error());
    }
}

} // namespace hive::bus::rabbitmq
