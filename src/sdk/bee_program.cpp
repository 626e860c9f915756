#include "sdk/bee_program.hpp"

#include "bus/rabbitmq/connect.hpp"
#include "kernel/duration.hpp"
#include "kernel/log_format.hpp"
#include "kernel/random.hpp"
#include "worker/bee.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <optional>

namespace hive::sdk {
namespace {

constexpr int exit_ok = 0;
constexpr int exit_bad_input = 2;
constexpr int exit_failed = 3;

constexpr Duration goodbye = std::chrono::seconds{2}; // for last words

int complain(int code, const std::string& why) {
    fmt::print(stderr, "error: {}\n", why);
    return code;
}

// One JSON line a record: its launcher keeps them as the log of this instance.
class StandardError final : public LogSink {
public:
    void write(const LogRecord& record) noexcept override {
        std::string line;
        append_json_line(line, record);
        std::fwrite(line.data(), 1, line.size(), stderr); // one call, so lines never mix
    }
};

std::optional<std::string> variable(const char* name) {
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): no thread yet
    return value != nullptr ? std::optional<std::string>{value} : std::nullopt;
}

struct Told {
    worker::Setup setup;
    bus::rabbitmq::Endpoint broker;
    worker::ControlSettings control{};
    std::string log_level = "info";
};

Result<Told> read_environment(const worker::BeeKind& kind) {
    worker::Environment environment;
    for (const char* name : worker::setup_variables()) {
        if (auto value = variable(name)) environment[name] = *std::move(value);
    }
    auto setup = worker::read_setup(environment);
    if (!setup) {
        return fail(
            Errc::invalid, setup.error().detail +
                               "\nThis program is a bee: the controller of a swarm launches it.");
    }
    if (setup->self.role.text() != kind.role) {
        return fail(
            Errc::invalid, fmt::format(
                               "this bee is a {}, the environment is that of a {}", kind.role,
                               setup->self.role.text()));
    }
    const auto url = variable("HIVE_BROKER_URL");
    if (!url) return fail(Errc::invalid, "HIVE_BROKER_URL is not set: where is the broker?");
    auto broker = bus::rabbitmq::parse_endpoint(*url);
    if (!broker) return fail(Errc::invalid, "HIVE_BROKER_URL: " + broker.error().detail);
    Told told{.setup = *std::move(setup), .broker = *std::move(broker)};
    if (const auto every = variable("HIVE_SWARM_BEE_STATUS_EVERY")) {
        const auto time = parse_duration(*every);
        if (!time) {
            return fail(Errc::invalid, "HIVE_SWARM_BEE_STATUS_EVERY: " + time.error().detail);
        }
        told.control.delta_every = *time;
    }
    if (auto level = variable("HIVE_LOG_LEVEL")) told.log_level = *std::move(level);
    return told;
}

// Signals that end the program, kept from every thread that starts after this.
class EndSignals {
public:
    EndSignals() {
        ::sigemptyset(&awaited_);
        ::sigaddset(&awaited_, SIGTERM);
        ::sigaddset(&awaited_, SIGINT);
        ::pthread_sigmask(SIG_BLOCK, &awaited_, nullptr);
    }
    void wait() const {
        int signal = 0;
        while (::sigwait(&awaited_, &signal) == EINTR) {
        }
    }

private:
    sigset_t awaited_{};
};

int live(Told told, const worker::BeeKind& kind, const EndSignals& signals) {
    StandardError sink;
    const SystemClock clock;
    LogLevels levels;
    if (auto set = levels.set(told.log_level); !set) {
        return complain(exit_bad_input, "HIVE_LOG_LEVEL: " + set.error().detail);
    }
    const Logger log{sink, clock, levels, "bee"};
    const std::string name = told.setup.self.instance.text();
    auto connection = bus::rabbitmq::connect(
        {.endpoint = std::move(told.broker),
         .name = name,
         .on_notice = [log](std::string_view notice) { log.warn(notice); }},
        [log](bus::Link link, std::string_view why) {
            log.info("broker", {{"link", bus::name_of(link)}, {"reason", why}});
        });
    if (!connection) return complain(exit_failed, connection.error().detail);

    std::promise<std::string> gave_up;
    auto cause = gave_up.get_future();
    loop::Loop loop{1};
    auto bee = worker::Bee::start(
        {.setup = std::move(told.setup),
         .control = std::move(told.control),
         .entropy = Random::from_entropy()()},
        kind, {**connection, loop, clock, log, [&](const std::string& why) {
                   gave_up.set_value(why); // once, says the bee
                   ::kill(::getpid(), SIGTERM);
               }});
    if (!bee) return complain(exit_failed, bee.error().detail);
    log.info("up", {{"instance", name}});
    signals.wait();
    std::promise<void> gone;
    (*bee)->stop([&] { gone.set_value(); });
    gone.get_future().wait();
    bee->reset();
    // A broker that is away must not keep a bee from ending.
    (void)(*connection)->close(goodbye);
    log.info("down", {{"instance", name}});
    if (cause.wait_for(Duration::zero()) != std::future_status::ready) return exit_ok;
    return complain(exit_failed, cause.get());
}

} // namespace

int run_bee(const worker::BeeKind& kind) {
    const EndSignals signals; // before any thread starts
    auto told = read_environment(kind);
    if (!told) return complain(exit_bad_input, told.error().detail);
    return live(*std::move(told), kind, signals);
}

} // namespace hive::sdk
