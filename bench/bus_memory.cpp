// How fast the memory bus moves work items, beside a bare queue of the same items: a mutex, two
// condition variables and a vector that the consumer swaps out.
//
//     build/bench/bus_memory [items per run, default 2000000]

#include "bus/memory/hub.hpp"
#include "kernel/clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace hive;
using namespace std::chrono_literals;
using bus::Route;
using wire::WorkItem;

constexpr std::size_t queue_bound = 4096; // items; the same for the bare queue
constexpr Duration patience = 10s;
constexpr int rounds = 3; // the median is printed

enum class Content {
    payload, // one step: two allocations
    stamped, // with a stamp, and a trace id too long for a string's own buffer: three allocations
};

WorkItem make_item(Content content) {
    WorkItem item;
    item.steps.emplace_back();
    item.steps.back().payload.assign(200, 'x');
    if (content == Content::stamped) {
        item.trace_id = "0af7651916cd43dd8448eb211c80319c";
        static const wire::Stamp stamp{"generator", "alpha-generator-1"};
        item.steps.back().by = stamp;
    }
    return item;
}

[[noreturn]] void die(std::string_view why) {
    fmt::print(stderr, "bus_memory: {}\n", why);
    std::exit(3);
}

template <class T>
T must(Result<T> result) {
    if (!result) die(result.error().detail);
    return std::move(*result);
}

void must(const Status& status) {
    if (!status) die(status.error().detail);
}

// The simplest queue that moves batches: what any in-process bus has to be measured by.
class BareQueue {
public:
    void push(std::span<WorkItem> items) {
        std::unique_lock lock{mutex_};
        room_.wait(lock, [&] { return items_.size() < queue_bound; });
        items_.insert(
            items_.end(), std::move_iterator{items.begin()}, std::move_iterator{items.end()});
        if (waiting_ > 0) ready_.notify_one();
    }
    // Empty only at the end.
    void swap_out(std::vector<WorkItem>& into) {
        std::unique_lock lock{mutex_};
        ++waiting_;
        ready_.wait(lock, [&] { return !items_.empty() || ended_; });
        --waiting_;
        into.swap(items_);
        room_.notify_all();
    }
    void end() {
        const std::lock_guard lock{mutex_};
        ended_ = true;
        ready_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable ready_;
    std::condition_variable room_;
    std::vector<WorkItem> items_;
    std::size_t waiting_ = 0;
    bool ended_ = false;
};

Duration cpu_of_this_thread() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

struct Load {
    std::size_t items = 2'000'000;
    std::size_t batch = 64;
    std::size_t pairs = 1; // of one producer and one consumer thread each
    Content content = Content::payload;
};

struct Measured {
    double rate = 0;        // items/s
    double producer_ns = 0; // CPU per item, over all producers
    double consumer_ns = 0;
};

// Runs one producer and one consumer function per pair, each told how many items are its share.
template <class Produce, class Consume>
Measured run_threads(const Load& load, Produce produce, Consume consume) {
    const std::size_t share = load.items / load.pairs;
    std::vector<Duration> producing(load.pairs);
    std::vector<Duration> consuming(load.pairs);
    const auto start = std::chrono::steady_clock::now();
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < load.pairs; ++i) {
            threads.emplace_back([&, i] {
                consume(share);
                consuming[i] = cpu_of_this_thread();
            });
            threads.emplace_back([&, i] {
                produce(share);
                producing[i] = cpu_of_this_thread();
            });
        }
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const auto total = static_cast<double>(share * load.pairs);
    const auto per_item = [&](const std::vector<Duration>& times) {
        Duration sum{0};
        for (const Duration time : times) sum += time;
        return static_cast<double>(sum.count()) / total;
    };
    return {total / took.count(), per_item(producing), per_item(consuming)};
}

template <class Send>
void produce_batches(const Load& load, std::size_t share, Send send) {
    std::vector<WorkItem> batch;
    for (std::size_t made = 0; made < share; made += batch.size()) {
        batch.clear();
        const std::size_t count = std::min(load.batch, share - made);
        for (std::size_t i = 0; i < count; ++i) batch.push_back(make_item(load.content));
        send(std::span{batch});
    }
}

Measured run_bare(const Load& load) {
    BareQueue queue;
    std::atomic<std::size_t> producers = load.pairs;
    return run_threads(
        load,
        [&](std::size_t share) {
            produce_batches(load, share, [&](std::span<WorkItem> batch) { queue.push(batch); });
            if (--producers == 0) queue.end();
        },
        [&](std::size_t) {
            std::vector<WorkItem> items;
            do {
                items.clear();
                queue.swap_out(items);
            } while (!items.empty());
        });
}

Measured run_bus(const Load& load, bool through_exchange) {
    const SystemClock clock;
    bus::memory::Hub hub{clock};
    const auto connection = hub.connect(bus::Grants::everything());
    must(connection->topology().declare({
        .exchanges = {{.name = "ph.bench.hive"}},
        .queues = {{.name = "ph.work.bench.q", .max_length = queue_bound}},
        .bindings = {{"ph.bench.hive", "ph.work.bench.q", "ph.work.bench.q"}},
    }));
    const Route route{through_exchange ? "ph.bench.hive" : "", "ph.work.bench.q"};
    std::atomic<std::size_t> left = load.items / load.pairs * load.pairs;
    return run_threads(
        load,
        [&](std::size_t share) {
            const auto sender = must(connection->work().open_sender({}));
            produce_batches(load, share, [&](std::span<WorkItem> batch) {
                while (!batch.empty()) {
                    batch = batch.subspan(must(sender->send(route, batch, patience)));
                }
            });
        },
        [&](std::size_t) {
            const auto receiver =
                must(connection->work().open_receiver({.queue = route.key, .prefetch = 1024}));
            std::vector<std::uint64_t> tags;
            while (left > 0) {
                const auto items = must(receiver->receive(load.batch, 10ms));
                tags.clear();
                for (const auto& delivered : items) tags.push_back(delivered.tag);
                must(receiver->ack(tags));
                left -= tags.size();
            }
        });
}

Measured median(std::vector<Measured> all) {
    std::ranges::sort(all, {}, &Measured::rate);
    return all[all.size() / 2];
}

// An estimate, not a measurement: the rate if each thread had a core of its own, from the CPU that
// the slower side needs. On a busy machine the measured rate tells more about the neighbours.
double unhurried(const Measured& got, const Load& load) {
    return static_cast<double>(load.pairs) * 1e9 / std::max(got.producer_ns, got.consumer_ns);
}

void print(std::string_view what, const Load& load, const Measured& got, double yardstick) {
    fmt::print(
        "{:<22} {:>3} {:>5}  {:>9.2f}  {:>5.2f}  {:>11.0f}  {:>11.0f}  {:>9.2f}\n", what,
        fmt::format("{0}x{0}", load.pairs), load.batch, got.rate / 1e6, got.rate / yardstick,
        got.producer_ns, got.consumer_ns, unhurried(got, load) / 1e6);
    std::fflush(stdout);
}

void compare(const Load& load) {
    std::vector<Measured> bare;
    std::vector<Measured> straight;
    std::vector<Measured> exchange;
    for (int i = 0; i < rounds; ++i) {
        bare.push_back(run_bare(load));
        straight.push_back(run_bus(load, false));
        exchange.push_back(run_bus(load, true));
    }
    const Measured yardstick = median(std::move(bare));
    print("bare queue", load, yardstick, yardstick.rate);
    print("bus, straight to queue", load, median(std::move(straight)), yardstick.rate);
    print("bus, through exchange", load, median(std::move(exchange)), yardstick.rate);
}

} // namespace

int main(int argc, char** argv) {
    Load load;
    if (argc > 1) {
        const std::string_view text{argv[1]};
        const auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), load.items);
        if (error != std::errc{} || end != text.data() + text.size() || load.items < 1000) {
            fmt::print(stderr, "bus_memory: '{}' is not a number of at least 1000 items\n", text);
            return 2;
        }
    }
    for (const Content content : {Content::payload, Content::stamped}) {
        load.content = content;
        fmt::print(
            "{}\n{:<22} {:>3} {:>5}  {:>9}  {:>5}  {:>11}  {:>11}  {:>9}\n",
            content == Content::payload ? "200-byte payload" : "200-byte payload, fully stamped",
            "", "PxC", "batch", "M items/s", "ratio", "producer ns", "consumer ns", "by CPU");
        for (const std::size_t pairs : {1UL, 2UL}) {
            for (const std::size_t batch : {1UL, 16UL, 64UL, 256UL}) {
                load.pairs = pairs;
                load.batch = batch;
                compare(load);
            }
        }
        fmt::print("\n");
    }
    return 0;
}
