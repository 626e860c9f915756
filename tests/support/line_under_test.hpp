#pragma once

#include "kernel/log_capture.hpp"
#include "loop/loop.hpp"
#include "worker/kind.hpp"

#include <condition_variable>
#include <future>
#include <mutex>
#include <string>
#include <vector>

namespace hive::tests {

struct NoSettings {};
inline void describe(FieldTable& /*fields*/, NoSettings& /*settings*/) {}

// For a bee without queues.
class NoQueues final : public bus::WorkBus {
public:
    Result<std::unique_ptr<bus::WorkSender>> open_sender(bus::SenderOptions /*options*/) override {
        return fail(Errc::not_found, "this bee has no queues");
    }
    Result<std::unique_ptr<bus::WorkReceiver>>
    open_receiver(bus::ReceiverOptions /*options*/) override {
        return fail(Errc::not_found, "this bee has no queues");
    }
};

// A bee on a thread of its own that writes down the items it is given; driven from the test.
class LineUnderTest {
public:
    using Look = std::function<Status(worker::Item&)>; // the bee's work, if the test has one

    struct Life { // one start of a bee
        std::uint64_t entropy = 0;
        const char* instance = "alpha-generator-1";
        bus::WorkBus* bus = nullptr; // it has one queue to take from; null: none
    };

    explicit LineUnderTest(Look look = {}) : LineUnderTest{Life{}, std::move(look)} {}
    explicit LineUnderTest(Life life, Look look = {})
        : setup_{{SwarmId::parse("alpha").value(), Role::parse("generator").value(),
                  InstanceId::parse(life.instance).value()}},
          kind_{worker::simple_bee<NoSettings>(
              "generator", [this, look = std::move(look)](const NoSettings&, worker::Item& item) {
                  return note(item, look);
              })} {
        if (life.bus != nullptr) setup_.ports.in.push_back({"in", "queue"});
        bus::WorkBus& bus = life.bus != nullptr ? *life.bus : no_queues_;
        workload_ = kind_
                        .make(
                            {.setup = setup_,
                             .bus = bus,
                             .strand = strand_,
                             .clock = clock_,
                             .log = log_,
                             .give_up = [this](std::string why) { gave_up(std::move(why)); },
                             .entropy = life.entropy})
                        .value();
    }
    ~LineUnderTest() {
        on_strand([this] { workload_.reset(); });
        strand_.close();
    }
    LineUnderTest(const LineUnderTest&) = delete;
    LineUnderTest& operator=(const LineUnderTest&) = delete;

    Status check(std::string_view config) const { return kind_.check(parse(config)); }
    void configure(std::string_view config) {
        on_strand([&] { workload_->configure(parse(config)); });
    }
    void enable(bool enabled) {
        on_strand([&] { workload_->set_enabled(enabled); });
    }
    worker::WorkloadReport report() {
        worker::WorkloadReport out;
        on_strand([&] { out = workload_->report(); });
        return out;
    }
    // All payloads so far, once there are that many or none came for a long time.
    std::vector<std::string> payloads(std::size_t at_least) {
        std::unique_lock lock{mutex_};
        changed_.wait_for(lock, patience, [&] { return payloads_.size() >= at_least; });
        return payloads_;
    }
    // Whether a report looks like that before long.
    bool eventually(const std::function<bool(const worker::WorkloadReport&)>& holds) {
        const TimePoint deadline = clock_.now() + patience;
        for (;;) {
            if (holds(report())) return true;
            if (clock_.now() > deadline) return false;
            std::unique_lock lock{mutex_};
            changed_.wait_for(lock, std::chrono::milliseconds{10});
        }
    }
    std::string reason() { // why it gave up
        const std::scoped_lock lock{mutex_};
        return reason_;
    }

private:
    static constexpr std::chrono::seconds patience{60};

    static json::object parse(std::string_view text) {
        return parse_json(text).value().as_object();
    }
    Status note(worker::Item& item, const Look& look) {
        if (look) {
            if (auto ok = look(item); !ok) return ok;
        }
        const std::scoped_lock lock{mutex_};
        payloads_.emplace_back(item.payload());
        changed_.notify_all();
        return {};
    }
    void gave_up(std::string why) {
        const std::scoped_lock lock{mutex_};
        reason_ = std::move(why);
        changed_.notify_all();
    }
    void on_strand(const std::function<void()>& task) {
        std::promise<void> done;
        strand_.post([&] {
            task();
            done.set_value();
        });
        done.get_future().wait();
    }

    worker::Setup setup_;
    NoQueues no_queues_{};
    SystemClock clock_{};
    LogCapture lines_{};
    LogLevels levels_{};
    Logger log_{lines_, clock_, levels_, "worker"};
    std::mutex mutex_{};
    std::condition_variable changed_{};
    std::vector<std::string> payloads_{};
    std::string reason_{};
    worker::BeeKind kind_;
    loop::Loop loop_{1};
    loop::Strand strand_{loop_};
    std::unique_ptr<worker::Workload> workload_{};
};

} // namespace hive::tests
