// Four bees as processes over RabbitMQ beside what the broker itself sustains: the same items
// through three queues by bare librabbitmq loops, with the same confirms, prefetch and routes.
// Rounds in turn.
#include "bench/bare_rabbitmq.hpp"
#include "bench/embedded_hive.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/rabbit_server.hpp"
#include "wire/names.hpp"

#include <csignal>
#include <thread>

namespace {

using namespace hive;
using namespace hive::bench;

constexpr std::size_t window = 256;
const std::vector<std::string> queues{"made", "calls", "results"};

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

json::object four_bees(const std::string& url) {
    const auto bee = [](std::string_view role, json::object work, json::object config) {
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

// Items a second from the first queue to the last, and how large one is in each.
struct Swarm {
    double rate = 0;
    std::vector<std::string> samples{};
};

Swarm measure_bees(const tests::RabbitServer& server, std::chrono::seconds lasts) {
    const Mock mock;
    Hive hive{server.url()};
    auto created = hive.create("bench", four_bees(mock.url()));
    hive.finish(created, wire::OutcomeStatus::ready);
    auto started = hive.wish("bench", Wish::running);
    hive.finish(started, wire::OutcomeStatus::running);
    std::this_thread::sleep_for(2s); // until the queues have something in them
    const auto before = mock.requests();
    const auto begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(lasts);
    const auto after = mock.requests();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    Swarm seen{.rate = static_cast<double>(after - before) / took.count()};
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

double measure_bare(const tests::RabbitServer& server, const Swarm& like, std::size_t messages) {
    const int port = server.port();
    const Setting setting{.persistent = true, .window = window, .messages = messages};
    const BareLink link{port};
    for (const auto& name : queues) {
        amqp_queue_declare(link.raw(), 1, bytes_of(name), 0, 1, 0, 0, amqp_empty_table);
        link.check("declare a queue");
    }
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::jthread> threads;
    threads.emplace_back([&] { bare_consume(port, queues[2], setting); });
    threads.emplace_back([&] { bare_forward(port, queues[1], {"", queues[2]}, setting); });
    threads.emplace_back([&] { bare_forward(port, queues[0], {"", queues[1]}, setting); });
    bare_publish(port, {"", queues[0]}, like.samples.front(), setting);
    threads.clear();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    return static_cast<double>(messages) / took.count();
}

} // namespace

int main(int count, char** arguments) {
    const int rounds = count > 1 ? std::atoi(arguments[1]) : 3;
    const std::chrono::seconds lasts{count > 2 ? std::atoi(arguments[2]) : 8};
    try {
        const tests::RabbitServer server;
        std::vector<double> ratios;
        for (int round = 1; round <= rounds; ++round) {
            const Swarm bees = measure_bees(server, lasts);
            const double bare = measure_bare(server, bees, 60'000);
            ratios.push_back(bees.rate / bare);
            fmt::print(
                "round {}: four bees {:.0f} items/s, bare loops {:.0f} items/s, ratio {:.2f}; "
                "items of {}, {} and {} bytes (bare: all of the first)\n",
                round, bees.rate, bare, ratios.back(), bees.samples[0].size(),
                bees.samples[1].size(), bees.samples[2].size());
            std::fflush(stdout);
        }
        std::ranges::sort(ratios);
        fmt::print("median ratio {:.2f} (demanded: 0.7)\n", ratios[ratios.size() / 2]);
    } catch (const std::exception& error) {
        die(error.what());
    }
}
