#include "bus/rabbitmq/connect.hpp"

#include "bus/rabbitmq/consume_loop.hpp"
#include "bus/rabbitmq/control.hpp"
#include "bus/rabbitmq/link_state.hpp"
#include "bus/rabbitmq/publish_loop.hpp"
#include "bus/rabbitmq/receiver.hpp"
#include "bus/rabbitmq/sender.hpp"
#include "bus/rabbitmq/size_bound.hpp"

#include <fmt/format.h>

#include <mutex>
#include <vector>

namespace hive::bus::rabbitmq {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t window_max = 65536;
constexpr auto destructor_close = 5s; // for owners that did not close

class BrokerTopology final : public Topology {
public:
    explicit BrokerTopology(std::shared_ptr<ConsumeLoop> loop) : loop_{std::move(loop)} {}

    Status declare(const Layout& layout) override { return loop_->declare(layout); }
    Status bind(const Binding& binding) override { return loop_->bind(binding); }
    Status unbind(const Binding& binding) override { return loop_->unbind(binding); }
    Status remove_queue(const std::string& name) override { return loop_->remove_queue(name); }
    Status remove_exchange(const std::string& name) override {
        return loop_->remove_exchange(name);
    }
    Result<QueueStats> inspect(const std::string& queue) override { return loop_->inspect(queue); }
    Result<std::size_t> purge(const std::string& queue) override { return loop_->purge(queue); }

private:
    std::shared_ptr<ConsumeLoop> loop_;
};

class Work final : public WorkBus {
public:
    explicit Work(Receiver::Parts parts) : parts_{std::move(parts)} {}

    // Each item that comes alone wakes four threads here and as many processes of the broker, which
    // costs both more than the item itself.
    Gathering gathering() const override { return {.per_ms = 2, .wait = 3ms}; }

    Result<std::unique_ptr<WorkSender>> open_sender(SenderOptions options) override {
        if (options.window == 0 || options.window > window_max) {
            return fail(
                Errc::invalid, fmt::format("a sender's window must be 1 to {}", window_max));
        }
        auto outbox = std::make_shared<Outbox>(Outbox::Terms{
            .capacity = options.window,
            .in_flight = options.window,
            .fails_for_good = true,
            .on_progress = std::move(options.on_progress)});
        {
            const std::lock_guard lock{mutex_};
            if (closed_) return fail(*closed_);
            std::erase_if(senders_, [](const auto& each) { return each.expired(); });
            senders_.push_back(outbox);
            parts_.publishing->add(outbox);
        }
        return std::make_unique<Sender>(
            parts_.publishing, std::move(outbox),
            Sender::Terms{options.persistent, item_bytes_max(*parts_.bus)});
    }

    Result<std::unique_ptr<WorkReceiver>> open_receiver(ReceiverOptions options) override {
        return Receiver::open(parts_, std::move(options));
    }

    void close(const Error& why) {
        const std::lock_guard lock{mutex_};
        closed_ = why;
        for (const auto& each : senders_) {
            if (const auto outbox = each.lock()) outbox->close(why);
        }
    }

private:
    Receiver::Parts parts_;
    std::mutex mutex_;
    std::vector<std::weak_ptr<Outbox>> senders_;
    std::optional<Error> closed_;
};

class BrokerConnection final : public Connection {
public:
    BrokerConnection(const std::shared_ptr<const Options>& options, LinkListener listener)
        : link_{std::make_shared<LinkState>(std::move(listener))},
          publishing_{std::make_shared<PublishLoop>(options, link_)},
          consuming_{std::make_shared<ConsumeLoop>(options, link_)}, topology_{consuming_},
          control_{options, publishing_, consuming_}, work_{{consuming_, publishing_, options}} {}

    ~BrokerConnection() override { [[maybe_unused]] const auto closed = close(destructor_close); }

    Status start() {
        auto consuming = consuming_->open();
        if (!consuming) return fail(consuming.error());
        auto publishing = publishing_->open();
        if (!publishing) return fail(publishing.error());
        consuming_->start(std::move(*consuming));
        publishing_->start(std::move(*publishing));
        return {};
    }

    Topology& topology() override { return topology_; }
    ControlBus& control() override { return control_; }
    WorkBus& work() override { return work_; }
    Link link() const override { return link_->get(); }

    Status close(Duration within) override {
        const std::lock_guard lock{closing_};
        if (std::exchange(closed_, true)) return {};
        const auto deadline = deadline_after(within);
        const Error why{Errc::closed, "the connection to RabbitMQ was closed"};
        work_.close(why);
        control_.close(why);
        // An item that is being moved is acknowledged by its copy: that needs the consumers.
        publishing_->await_copies(deadline_after(within / 2));
        consuming_->request_stop();
        publishing_->request_stop();
        consuming_->join(deadline);
        publishing_->join(deadline);
        link_->close("closed by its owner");
        const auto left = publishing_->unconfirmed();
        if (left == 0) return {};
        return fail(
            Errc::timeout,
            fmt::format("closed with {} messages that RabbitMQ had not confirmed in time", left));
    }

private:
    std::shared_ptr<LinkState> link_;
    std::shared_ptr<PublishLoop> publishing_;
    std::shared_ptr<ConsumeLoop> consuming_;
    BrokerTopology topology_;
    Control control_;
    Work work_;
    std::mutex closing_;
    bool closed_ = false;
};

} // namespace

Result<std::unique_ptr<Connection>> connect(Options options, LinkListener listener) {
    auto shared = std::make_shared<const Options>(std::move(options));
    auto connection = std::make_unique<BrokerConnection>(std::move(shared), std::move(listener));
    if (auto ok = connection->start(); !ok) return fail(ok.error());
    return connection;
}

} // namespace hive::bus::rabbitmq
