#include "bees/processor/processor.hpp"

#include "bees/processor/call_result.hpp"
#include "bees/processor/judgement.hpp"
#include "bees/processor/processor_config.hpp"
#include "bees/processor/request_builder.hpp"
#include "call/lanes.hpp"
#include "pace/limiter.hpp"
#include "worker/kind.hpp"

#include <algorithm>
#include <charconv>
#include <deque>
#include <mutex>

namespace hive::bees {
namespace {

using worker::Job;
using worker::Line;

// Calls that wait in the lane for their turn, so that it has something to do while the answers of
// the last ones are looked at: few for a slow system, whose calls are better seen in their queue.
constexpr std::size_t ahead_min = 8;
constexpr std::size_t ahead_max = 512;
// While the lane has enough to do it gets more by so many at a time: each time wakes every bee
// before this one.
constexpr std::size_t refill = 256;
// Answers whose buffers are kept for the next ones.
constexpr std::size_t spent_max = 256;
constexpr std::size_t spent_body_bytes_max = 4096;
// While answers come in crowds they are looked at together, this often.
constexpr Duration gather = std::chrono::milliseconds{1};

// What the lanes hand back, until the bee looks. Shared with their threads.
struct Returned {
    std::mutex mutex;
    std::vector<call::Done> calls;
    std::vector<call::Done> spent; // looked at; the lanes use their buffers again
    bool watched = false;          // the bee looks by itself: no need to ring
    std::function<void()> ring;

    void add(std::vector<call::Done>& done) {
        bool first = false;
        {
            const std::lock_guard lock{mutex};
            first = calls.empty() && !watched;
            if (calls.empty()) {
                calls.swap(done);
            } else {
                std::ranges::move(done, std::back_inserter(calls));
                done.clear();
            }
            done.swap(spent);
        }
        if (first && ring) ring();
    }
};

class Processor final : public worker::WorkWith<ProcessorConfig> {
public:
    explicit Processor(const worker::WorkloadParts& parts)
        : parts_{parts},
          to_wall_{parts.clock.wall().time_since_epoch() - parts.clock.now().time_since_epoch()} {}

    void configure(ProcessorConfig config) override {
        if (builder_ && config == config_) return;
        const bool paced = config.rate_per_sec != config_.rate_per_sec;
        config_ = std::move(config);
        if (paced || !limiter_) set_rate();
        auto builder = RequestBuilder::make(config_);
        if (!builder) return parts_.give_up(builder.error().detail);
        builder_ = *std::move(builder);
        reopen_ = true; // with the next calls; those under way end as they began
    }

    std::size_t room(TimePoint now) override {
        if (!builder_) return 0;
        const bool crowded = line_ != nullptr && line_->crowded();
        const std::size_t most = config_.thread_count + (crowded ? ahead_max : ahead_min);
        std::size_t room = most - std::min(most, open_);
        if (crowded && room < refill) room = 0; // the next calls that end make room, and look
        if (config_.mode == ProcessorMode::thread_count) return room;
        return std::min(room, limiter_->allowed(now));
    }
    std::optional<TimePoint> next(TimePoint now) override {
        if (config_.mode == ProcessorMode::thread_count || !limiter_) return std::nullopt;
        return limiter_->next(now);
    }

    void take(std::span<Job> jobs, Line& line) override {
        line_ = &line;
        if (reopen_ || !lanes_) open();
        if (!lanes_) return;
        if (config_.mode == ProcessorMode::rate_per_sec) limiter_->take(jobs.size());
        for (Job& job : jobs) add(job);
        if (calls_.empty()) return;
        if (auto ok = lanes_->submit(calls_); !ok) parts_.give_up(ok.error().detail);
    }

    wire::InputState input() const override { return wire::InputState::ok; }
    wire::OutputState output() const override {
        if (config_.mode == ProcessorMode::rate_per_sec && config_.rate_per_sec == 0) {
            return wire::OutputState::throttled;
        }
        return wire::OutputState::ok;
    }
    void report(json::object& into) override {
        into["baseUrl"] = config_.base_url;
        into["threadCount"] = config_.thread_count;
        into["underWay"] = open_;
        into["transactions"] = ended_;
        if (ended_ == 0) return;
        into["successRatio"] = static_cast<double>(good_) / static_cast<double>(ended_);
        const auto sum = std::chrono::duration<double, std::milli>{time_};
        into["avgLatencyMs"] = sum.count() / static_cast<double>(ended_);
    }

private:
    void set_rate() {
        const pace::Shape shape{config_.rate_per_sec};
        if (limiter_) {
            limiter_->change(shape, parts_.clock.now());
        } else {
            limiter_.emplace(shape, pace::Saving{}, parts_.clock.now());
        }
    }

    // Calls of the lanes before are let end as they began.
    void open() {
        if (lanes_) earlier_.push_back(std::move(lanes_));
        reopen_ = false;
        // Once: lanes of before may be ringing.
        if (!returned_->ring) {
            returned_->ring = [post = parts_.strand.poster(), self = std::weak_ptr{alive_}, this] {
                post([self, this] {
                    if (self.lock()) look();
                });
            };
        }
        auto lanes = call::Lanes::start(
            config_.io_threads, options_of(config_),
            {.done = [returned = returned_](std::vector<call::Done>& done) {
                returned->add(done);
            }});
        if (!lanes) return parts_.give_up(lanes.error().detail);
        lanes_ = *std::move(lanes);
    }

    void add(Job& job) {
        std::uint64_t slot = jobs_.size();
        if (free_.empty()) {
            jobs_.push_back(job);
            judges_.emplace_back();
        } else {
            slot = free_.back();
            free_.pop_back();
            jobs_[slot] = job;
        }
        call::Call call = spare_call();
        call.id = slot;
        if (auto ok = builder_->build(*job.item, call); !ok) {
            free_.push_back(slot);
            spare_.push_back(std::move(call));
            return line_->reject(job, ok.error().detail);
        }
        ++open_;
        judges_[slot] = builder_->judge();
        calls_.push_back(std::move(call));
    }

    call::Call spare_call() {
        if (spare_.empty()) return {};
        call::Call call = std::move(spare_.back());
        spare_.pop_back();
        return call;
    }

    std::optional<Duration> since_due(const wire::WorkItem& item, TimePoint end) const {
        const auto* due = item.headers.find(worker::header::due);
        if (due == nullptr) return std::nullopt;
        std::int64_t ns = 0;
        const std::string& text = due->str();
        const auto read = std::from_chars(text.data(), text.data() + text.size(), ns);
        if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
        return end.time_since_epoch() + to_wall_ - Duration{ns};
    }

    void look_again() {
        parts_.strand.after(gather, [self = std::weak_ptr{alive_}, this] {
            if (self.lock()) look();
        });
    }

    // Hands on what has come back.
    void look() {
        const bool crowded = line_->crowded();
        {
            const std::lock_guard lock{returned_->mutex};
            done_.swap(returned_->calls);
            returned_->watched = crowded && !done_.empty();
            if (returned_->watched) look_again();
        }
        const Timestamp now = line_->clock().wall();
        for (call::Done& done : done_) {
            Job& job = jobs_[done.call.id];
            --open_;
            ++ended_;
            time_ += done.at.last_byte - done.at.begin;
            auto step = result_step(done, since_due(*job.item, done.at.last_byte), config_.result);
            step.by = line_->stamp();
            bool good = succeeded(done);
            if (const auto& rules = judges_[done.call.id]) {
                const auto judgement = judge(*rules, done);
                append_headers(step, judgement);
                good = good && judgement.business_success.value_or(true);
            }
            if (good) ++good_;
            job.item->add_step(std::move(step), line_->history());
            free_.push_back(done.call.id);
            line_->forward(job, now);
            spare_.push_back(std::move(done.call));
        }
        give_back();
        std::erase_if(earlier_, [](const auto& lanes) { return lanes->pending() == 0; });
    }

    // Few and small: a large body must not stay for the sake of the next ones.
    void give_back() {
        const std::lock_guard lock{returned_->mutex};
        for (call::Done& done : done_) {
            if (returned_->spent.size() == spent_max) break;
            if (done.body.capacity() > spent_body_bytes_max) continue;
            returned_->spent.push_back(std::move(done));
        }
        done_.clear();
    }

    worker::WorkloadParts parts_;
    Duration to_wall_; // from the monotonic clock; measured once, so it never jumps
    ProcessorConfig config_{};
    std::optional<pace::Limiter> limiter_{};
    std::unique_ptr<RequestBuilder> builder_{};
    std::shared_ptr<Returned> returned_ = std::make_shared<Returned>();
    std::unique_ptr<call::Lanes> lanes_{};
    std::vector<std::unique_ptr<call::Lanes>> earlier_{}; // with calls under way
    Line* line_ = nullptr;
    bool reopen_ = false;
    std::deque<Job> jobs_{};                                          // by the id of their call
    std::deque<std::shared_ptr<const worker::ResultJudge>> judges_{}; // of their answers
    std::vector<std::uint64_t> free_{};
    std::vector<call::Call> calls_{}; // of one batch
    std::vector<call::Call> spare_{}; // with buffers to use again
    std::vector<call::Done> done_{};
    std::size_t open_ = 0;
    std::uint64_t ended_ = 0;
    std::uint64_t good_ = 0;
    Duration time_{};
    std::shared_ptr<int> alive_ = std::make_shared<int>(0);
};

} // namespace

worker::BeeKind processor() {
    return worker::make_kind<ProcessorConfig>(
        "processor",
        [](const worker::WorkloadParts& parts)
            -> Result<std::unique_ptr<worker::WorkWith<ProcessorConfig>>> {
            return std::make_unique<Processor>(parts);
        },
        check);
}

} // namespace hive::bees
