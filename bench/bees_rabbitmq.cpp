// Four bees as processes over RabbitMQ beside what the broker itself sustains: the same items
// through three such queues by bare librabbitmq loops, with the same confirms, prefetch, arguments
// and routes. Rounds in turn, through the swarm's exchange and straight to the queues.
#include "bench/bare_rabbitmq.hpp"
#include "bench/embedded_hive.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/rabbit_server.hpp"
#include "wire/names.hpp"

#include <array>
#include <csignal>
#include <map>
#include <thread>

namespace {

using namespace hive;
using namespace hive::bench;

constexpr std::size_t window = 256;
const std::vector<std::string> queues{"made", "calls", "results"};

enum class Way : std::uint8_t { exchange, straight };
constexpr std::array ways{Way::exchange, Way::straight};

std::string_view name_of(Way way) {
    return way == Way::exchange ? "through the exchange" : "straight to the queues";
}

// The system under test, on a port of its own.
class Mock {
public:
    Mock() {
        const std::string told = directory_.path() / "told";
        pid_ = tests::spawn(
            {.argv = {tests::hive_program(), "mock", "--http", "0", "--json"}, .output = told});
        for (int i = 0; i < 200 && url_.empty(); ++i) {
            std::this_thread::sleep_for(50ms);
            std::ifstream file{told};
            const std::string text{std::istreambuf_iterator<char>{file}, {}};
            const auto at = text.find("http://");
            if (at != std::string::npos) url_ = text.substr(at, text.find('"', at) - at);
        }
        if (url_.empty()) die("the mock did not start");
    }
    ~Mock() {
        ::kill(pid_, SIGTERM);
        tests::wait_for_exit(pid_, 5s);
    }
    Mock(const Mock&) = delete;
    Mock& operator=(const Mock&) = delete;

    const std::string& url() const noexcept { return url_; }
    std::uint64_t requests() const {
        const auto answer =
            tests::run({.argv = {"curl", "-fsS", url_ + "/__mock/stats"}}, 5s).output;
        const auto stats = must(parse_json(answer));
        return stats.at("requests").to_number<std::uint64_t>();
    }

private:
    tests::ScratchDirectory directory_;
    pid_t pid_ = 0;
    std::string url_;
};

json::object four_bees(const std::string& url, Way way) {
    const auto bee = [way](std::string_view role, json::object work, json::object config) {
        json::object& inputs = config.emplace("inputs", json::object{}).first->value().as_object();
        inputs["rabbit"] = {{"prefetch", prefetch}};
        config["outputs"] = {{"rabbit", {{"window", window}, {"direct", way == Way::straight}}}};
        return json::object{
            {"id", role}, {"role", role}, {"work", std::move(work)}, {"config", std::move(config)}};
    };
    const auto queue = [](std::size_t i) { return json::object{{"q", queues[i]}}; };
    return {
        {"bees",
         json::array{
             bee("generator", {{"out", queue(0)}},
                 {{"inputs", {{"scheduler", {{"pacing", "UNLIMITED"}}}}}}),
             bee("moderator", {{"in", queue(0)}, {"out", queue(1)}}, {}),
             bee("processor", {{"in", queue(1)}, {"out", queue(2)}},
                 {{"baseUrl", url}, {"threadCount", 50}, {"result", "BRIEF"}}),
             bee("postprocessor", {{"in", queue(2)}}, {})}},
        {"queues", {{"made", {{"maxLength", 20'000}}}, {"calls", {{"maxLength", 20'000}}}}}};
}

// The broker's own processor time so far, without the kernel's. It shares the machine with
// everybody else, and so is steadier than any rate.
double broker_seconds(tests::RabbitServer& server) {
    const std::string answer = server.eval("element(1, erlang:statistics(runtime))."); // {ok, N}
    return std::stod(answer.substr(answer.find(' '))) / 1000;
}

// Items a second from the first queue to the last, what each cost the broker, and how large one is
// in each queue.
struct Swarm {
    double rate = 0;
    double broker_us = 0;
    std::vector<std::string> samples{};
};

Swarm measure_bees(tests::RabbitServer& server, Way way, std::chrono::seconds lasts) {
    const Mock mock;
    Hive hive{server.url()};
    auto created = hive.create("bench", four_bees(mock.url(), way));
    hive.finish(created, wire::OutcomeStatus::ready);
    auto started = hive.wish("bench", Wish::running);
    hive.finish(started, wire::OutcomeStatus::running);
    std::this_thread::sleep_for(2s); // until the queues have something in them
    const double broker_before = broker_seconds(server);
    const auto before = mock.requests();
    const auto begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(lasts);
    const auto after = mock.requests();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const auto items = static_cast<double>(after - before);
    Swarm seen{
        .rate = items / took.count(),
        .broker_us = (broker_seconds(server) - broker_before) * 1e6 / items};
    const SwarmId swarm = SwarmId::parse("bench").value();
    for (const auto& name : queues) {
        const BareLink link{server.port()};
        BareConsumer in{link, wire::work_queue(swarm, QueueName::parse(name).value())};
        seen.samples.push_back(in.next()); // not acknowledged: it goes back
    }
    auto removed = hive.wish("bench", Wish::removed);
    hive.finish(removed, wire::OutcomeStatus::removed);
    return seen;
}

// Called like those of a swarm: the name is also the routing key, and each of its words is a step
// through the broker's tree of bindings, which costs more than anything else it does for a message.
std::string bare_name(const std::string& queue) {
    return wire::work_queue(SwarmId::parse("bare").value(), QueueName::parse(queue).value());
}

// With the arguments that the queues of a swarm have, so that the broker does the same for both.
// The bound is one that is never met.
void declare_like_a_swarm(const BareLink& link, const std::string& name, bool bounded) {
    const std::string dead = name + ".dead";
    std::array<amqp_table_entry_t, 4> entries{};
    const auto text = [](amqp_table_entry_t& entry, const char* key, amqp_bytes_t value) {
        entry.key = amqp_cstring_bytes(key);
        entry.value.kind = AMQP_FIELD_KIND_UTF8;
        entry.value.value.bytes = value;
    };
    text(entries[0], "x-dead-letter-exchange", amqp_empty_bytes);
    text(entries[1], "x-dead-letter-routing-key", bytes_of(dead));
    text(entries[2], "x-overflow", amqp_cstring_bytes("reject-publish"));
    entries[3].key = amqp_cstring_bytes("x-max-length");
    entries[3].value.kind = AMQP_FIELD_KIND_I64;
    entries[3].value.value.i64 = 1'000'000;
    amqp_queue_declare(
        link.raw(), 1, bytes_of(name), 0, 1, 0, 0, {bounded ? 4 : 2, entries.data()});
    link.check("declare a queue");
}

// The queues, bound to an exchange of their own.
void declare_all(const BareLink& link, const std::string& exchange) {
    amqp_exchange_declare(
        link.raw(), 1, bytes_of(exchange), amqp_cstring_bytes("topic"), 0, 1, 0, 0,
        amqp_empty_table);
    link.check("declare an exchange");
    for (const auto& queue : queues) {
        const std::string name = bare_name(queue);
        declare_like_a_swarm(link, name, queue != queues.back());
        amqp_queue_bind(
            link.raw(), 1, bytes_of(name), bytes_of(exchange), bytes_of(name), amqp_empty_table);
        link.check("bind a queue");
    }
}

Swarm measure_bare(tests::RabbitServer& server, Way way, const Swarm& like) {
    constexpr std::size_t messages = 60'000;
    const int port = server.port();
    const Setting setting{.persistent = true, .window = window, .messages = messages};
    const std::string exchange = wire::work_exchange(SwarmId::parse("bare").value());
    declare_all(BareLink{port}, exchange);
    const auto route = [&](std::size_t queue) {
        return BareRoute{way == Way::exchange ? exchange : "", bare_name(queues[queue])};
    };
    const double broker_before = broker_seconds(server);
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::jthread> threads;
    threads.emplace_back([&] { bare_consume(port, bare_name(queues[2]), setting); });
    threads.emplace_back(
        [&] { bare_forward(port, {bare_name(queues[1]), route(2), like.samples[2]}, setting); });
    threads.emplace_back(
        [&] { bare_forward(port, {bare_name(queues[0]), route(1), like.samples[1]}, setting); });
    bare_publish(port, route(0), like.samples[0], setting);
    threads.clear();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const auto items = static_cast<double>(messages);
    return {
        .rate = items / took.count(),
        .broker_us = (broker_seconds(server) - broker_before) * 1e6 / items};
}

// The ratio of a round, which it also tells about.
double play(tests::RabbitServer& server, Way way, std::chrono::seconds lasts) {
    const Swarm bees = measure_bees(server, way, lasts);
    const Swarm bare = measure_bare(server, way, bees);
    const double ratio = bees.rate / bare.rate;
    fmt::print(
        "{}: four bees {:.0f} items/s, bare loops {:.0f}, ratio {:.2f}; an item costs the broker "
        "{:.0f} us, {:.0f} bare; items of {}, {} and {} bytes\n",
        name_of(way), bees.rate, bare.rate, ratio, bees.broker_us, bare.broker_us,
        bees.samples[0].size(), bees.samples[1].size(), bees.samples[2].size());
    std::fflush(stdout);
    return ratio;
}

} // namespace

int main(int count, char** arguments) {
    const int rounds = count > 1 ? std::atoi(arguments[1]) : 3;
    const std::chrono::seconds lasts{count > 2 ? std::atoi(arguments[2]) : 8};
    try {
        tests::RabbitServer server;
        std::map<Way, std::vector<double>> ratios;
        for (int round = 0; round < rounds; ++round) {
            for (const Way way : ways) ratios[way].push_back(play(server, way, lasts));
        }
        for (auto& [way, all] : ratios) {
            std::ranges::sort(all);
            fmt::print(
                "{}: median ratio {:.2f} (demanded: 0.7)\n", name_of(way), all[all.size() / 2]);
        }
    } catch (const std::exception& error) {
        die(error.what());
    }
}
