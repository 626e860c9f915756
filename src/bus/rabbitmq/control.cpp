#include "bus/rabbitmq/control.hpp"

#include "bus/rabbitmq/size_bound.hpp"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <utility>

namespace hive::bus::rabbitmq {
namespace {

constexpr std::size_t name_max = 255;       // AMQP short strings
constexpr std::size_t prefetch_max = 65535; // AMQP
constexpr std::size_t in_flight = 1024;

} // namespace

ControlIntake::ControlIntake(
    std::string queue, std::size_t prefetch, ControlHandler handler,
    std::weak_ptr<Dispatcher> dispatcher)
    : Intake{std::move(queue), prefetch}, handler_{std::move(handler)},
      dispatcher_{std::move(dispatcher)} {}

void ControlIntake::hand_over() {
    if (const auto dispatcher = dispatcher_.lock()) {
        dispatcher->add(shared_from_this(), std::exchange(arriving_, {}));
    }
}

void ControlIntake::ended(const Error& /*why*/) {
    stopped_ = true;
}

void ControlIntake::handle(RawDelivery delivery) {
    const std::lock_guard lock{running_};
    if (delivery.serial <= stale_up_to_) return; // the broker delivers it anew
    if (stopped_) {
        refuse(delivery.serial, Refusal::requeue);
        return;
    }
    auto settle = [self = shared_from_this(), serial = delivery.serial](bool ack) {
        if (ack) {
            self->ack(std::array{serial});
        } else {
            self->refuse(serial, Refusal::requeue);
        }
    };
    handler_(ControlDelivery{
        {std::move(delivery.routing_key), std::move(delivery.body)},
        delivery.redelivered,
        std::move(settle)});
}

void ControlIntake::stop(bool on_dispatcher) {
    stopped_ = true;
    if (!on_dispatcher) const std::lock_guard lock{running_};
}

Dispatcher::Dispatcher(std::shared_ptr<const Options> options)
    : options_{std::move(options)}, thread_{[this] { run(); }} {}

Dispatcher::~Dispatcher() {
    stop();
    if (on_own_thread()) {
        thread_.detach(); // the last owner went away inside a handler
    } else {
        thread_.join();
    }
}

void Dispatcher::add(
    const std::shared_ptr<ControlIntake>& intake, std::vector<RawDelivery> deliveries) {
    {
        const std::lock_guard lock{mutex_};
        if (stopped_) return;
        for (auto& delivery : deliveries) turns_.push_back({intake, std::move(delivery)});
    }
    changed_.notify_one();
}

void Dispatcher::stop() {
    std::deque<Turn> dropped; // destroyed without the lock
    const std::lock_guard lock{mutex_};
    stopped_ = true;
    dropped.swap(turns_);
    changed_.notify_one();
}

void Dispatcher::run() {
    for (;;) {
        std::optional<Turn> turn;
        {
            std::unique_lock lock{mutex_};
            changed_.wait(lock, [&] { return stopped_ || !turns_.empty(); });
            if (stopped_) return;
            turn = std::move(turns_.front());
            turns_.pop_front();
        }
        try {
            turn->intake->handle(std::move(turn->delivery));
        } catch (const std::exception& error) {
            if (options_->on_notice) {
                options_->on_notice(fmt::format(
                    "the handler of queue '{}' threw: {}", turn->intake->queue(), error.what()));
            }
        }
    }
}

Control::Control(
    std::shared_ptr<const Options> options, std::shared_ptr<PublishLoop> publishing,
    std::shared_ptr<ConsumeLoop> consuming)
    : options_{std::move(options)}, publishing_{std::move(publishing)},
      consuming_{std::move(consuming)},
      outbox_{std::make_shared<Outbox>(Outbox::Terms{
          .capacity = options_->control_outbox, .in_flight = in_flight, .mandatory = false})},
      dispatcher_{std::make_shared<Dispatcher>(options_)} {
    publishing_->add(outbox_);
}

Status Control::publish(ControlMessage message, Persistence persistence) {
    if (message.routing_key.size() > name_max) {
        return fail(Errc::invalid, "a routing key is over AMQP's 255 bytes");
    }
    if (const auto bound = envelope_bytes_max(*options_); message.body.size() > bound) {
        return fail(over_bound(
            fmt::format("the envelope '{}'", message.routing_key), message.body.size(), bound));
    }
    Outgoing outgoing;
    outgoing.exchange = options_->control_exchange;
    outgoing.key = std::move(message.routing_key);
    outgoing.body = std::move(message.body);
    outgoing.persistent = persistence == Persistence::persistent;
    auto put = outbox_->put(std::move(outgoing));
    if (put) publishing_->wake();
    return put;
}

Result<Subscription>
Control::consume(const std::string& queue, ControlHandler handler, std::size_t prefetch) {
    if (prefetch == 0 || prefetch > prefetch_max) {
        return fail(
            Errc::invalid,
            fmt::format("consuming queue '{}' needs a prefetch from 1 to {}", queue, prefetch_max));
    }
    auto intake = std::make_shared<ControlIntake>(queue, prefetch, std::move(handler), dispatcher_);
    if (auto ok = consuming_->consume(intake); !ok) return fail(ok.error());
    return Subscription{[intake, dispatcher = dispatcher_, consuming = consuming_] {
        intake->stop(dispatcher->on_own_thread());
        consuming->cancel(intake);
    }};
}

Status Control::flush(Duration within) {
    return outbox_->flush(deadline_after(within));
}

void Control::close(const Error& why) {
    outbox_->close(why);
    outbox_->abandon();
    dispatcher_->stop();
}

} // namespace hive::bus::rabbitmq
