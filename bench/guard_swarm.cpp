// How well the buffer guard holds a real queue: generator -> guarded queue -> moderator -> queue
// behind -> sink, in one process on the memory bus and as processes over RabbitMQ, by both
// strategies. Prints figures, and draws the depths and rates at samples each 100 ms, or at the one
// period that is asked for.
//   build/bench/guard_swarm [plot.svg [embedded|rabbitmq|all [50|100|250]]]
#include "bench/embedded_hive.hpp"
#include "bench/plot.hpp"
#include "tests/support/rabbit_server.hpp"
#include "tests/system/guard_course.hpp"

#include <cmath>

namespace {

using namespace hive;
using namespace hive::bench;
using tests::GuardCourse;
using tests::GuardStory;
using tests::GuardWatch;

constexpr double tolerated = 0.1; // of the target
constexpr double goal = 0.95;     // of the looks
constexpr int goal_samples = 10;  // until it is settled again
constexpr Duration look_each = 10ms;
constexpr double drawn_each = 0.05; // seconds

// Settled for ten seconds, watched for fifteen; then twice the consumption, and half of it again.
GuardCourse follow(Duration period, std::uint32_t target) {
    return {
        .target = target,
        .period = period,
        .turns = {{25, "gate", 1000}, {37, "gate", 500}},
        .length = 50};
}
// What is behind the moderator all but stands still for three seconds.
GuardCourse press() {
    return {
        .sink = 900,
        .backpressure = true,
        .turns = {{8, "sink", 20}, {11, "sink", 900}},
        .length = 26};
}

GuardStory play(const GuardCourse& course, const std::optional<std::string>& broker) {
    Hive hive{broker};
    const SystemClock clock;
    GuardWatch watch{must(hive.host().connect(bus::Grants::everything(), "watch")), clock};
    auto created = hive.create("guarded", bees_of(course), plan_of(course));
    hive.finish(created, wire::OutcomeStatus::ready);
    auto running = hive.wish("guarded", Wish::running);
    hive.finish(running, wire::OutcomeStatus::running);
    GuardStory story = watch.watch(course.length, look_each);
    auto removed = hive.wish("guarded", Wish::removed);
    hive.finish(removed, wire::OutcomeStatus::removed);
    return story;
}

// Samples until the depth is within a tenth of its target for 95 of 100 looks of the ten samples
// that follow; -1: it never was.
double settled_after(const GuardCourse& course, const GuardStory& story, GuardStory::Span span) {
    const double period = std::chrono::duration<double>(course.period).count();
    for (double from = span.from; from + (10 * period) < span.to; from += period / 4) {
        const GuardStory::Span next{from, from + (10 * period)};
        if (story.part_within(tolerated, course.target, next) >= goal) {
            return (from - span.from) / period;
        }
    }
    return -1;
}

// The longest time in which nobody looked, in ms. Looks are due each 10 ms: what is longer is the
// machine's, and it stops bees as well.
double longest_pause(const GuardStory& story, GuardStory::Span span) {
    double longest = 0;
    double last = span.from;
    for (const auto& look : story.looks) {
        if (look.at < span.from || look.at >= span.to) continue;
        longest = std::max(longest, look.at - last);
        last = look.at;
    }
    return longest * 1000;
}

std::string samples(double count) {
    return count < 0 ? "never" : fmt::format("{:.1f}", count);
}

// Whether the goal was reached.
bool tell_follow(const std::string& bus, const GuardCourse& course, const GuardStory& story) {
    const double twice = story.begun("turn-1");
    const double half = story.begun("turn-2");
    const double end = story.looks.back().at;
    if (twice < 0 || half < 0) die("the plan did not run");
    const double target = course.target;
    const GuardStory::Span steady{twice - 15, twice};
    const double held = story.part_within(tolerated, target, steady);
    const double up = settled_after(course, story, {twice, half});
    const double down = settled_after(course, story, {half, end});
    fmt::print(
        "{:<9} {:<10} {:>4.0f} ms {:>6} {:>7.1f} {:>7.1f} {:>6.0f} {:>6.0f} {:>8} {:>8} {:>6.0f}\n",
        bus, course.strategy, milliseconds(course.period), course.target, 100 * held,
        100 * story.part_within(0.2, target, steady), story.lowest(steady).depth,
        story.highest(steady).depth, samples(up), samples(down),
        longest_pause(story, {steady.from, end}));
    std::fflush(stdout);
    return held >= goal && up >= 0 && up <= goal_samples && down >= 0 && down <= goal_samples;
}

bool tell_press(const std::string& bus, const GuardCourse& course, const GuardStory& story) {
    const double stall = story.begun("turn-1");
    if (stall < 0) die("the plan did not run");
    double slowest = 1e9;
    double further = 0;
    for (const auto& move : story.moves) {
        if (move.code != "guard.rate" || move.context.at("state") != "BACKPRESSURE") continue;
        slowest = std::min(slowest, move.context.at("to").to_number<double>());
    }
    for (const auto& look : story.looks) further = std::max(further, look.behind);
    const double highest = story.highest({stall}).depth;
    const double over = std::max(0.0, highest - course.high());
    const double last = story.looks.back().at;
    const double held = story.part_within(tolerated, course.target, {last - 5, last});
    fmt::print(
        "{:<9} {:<10} {:>8.0f} {:>9.2f} {:>7.0f} {:>8.0f} {:>10.0f} {:>9.1f}\n", bus,
        course.strategy, slowest, story.least_factor(), further, highest, over, 100 * held);
    std::fflush(stdout);
    return over == 0 && held >= goal;
}

struct Drawn {
    std::string name{};
    GuardCourse course{};
    GuardStory story{};
};

bool draw(const std::string& path, const std::vector<Drawn>& all) {
    std::vector<Diagram> diagrams;
    double top = 30;
    double length = 1;
    for (const Drawn& each : all) length = std::max(length, each.story.looks.back().at);
    for (const Drawn& each : all) {
        std::vector<Dot> depth;
        std::vector<Dot> rate;
        for (const auto& look : each.story.looks) {
            // More than a person sees would only make the file large.
            const bool close = !depth.empty() && look.at - depth.back().x < drawn_each;
            if (!close) depth.push_back({look.at, look.depth});
        }
        for (const auto& move : each.story.moves) {
            if (move.code != "guard.rate") continue;
            const auto& context = move.context;
            rate.push_back({move.at, context.at("from").to_number<double>()});
            rate.push_back({move.at, context.at("to").to_number<double>()});
        }
        if (!rate.empty()) rate.push_back({each.story.looks.back().at, rate.back().y});
        diagrams.push_back(Diagram{
            {top, 130, 2.0 * each.course.target, length},
            each.name + ": depth, items (bracket in green)"}
                               .band(each.course.low(), each.course.high())
                               .line("#07c", depth));
        diagrams.push_back(
            Diagram{{top + 170, 80, 2000, length}, each.name + ": rate told, 1/s"}.line(
                "#d60", rate));
        top += 300;
    }
    return write_plot(path, {.height = top + 20, .length = length, .mark = 10}, diagrams);
}

struct Bus {
    std::string name{};
    std::optional<std::string> broker{};
};

struct Settings {
    Duration period{};
    std::uint32_t target = 0;
};

bool holds(const std::vector<Bus>& buses, Duration only, std::vector<Drawn>& drawn) {
    bool ok = true;
    fmt::print(
        "{:<9} {:<10} {:>7} {:>6} {:>7} {:>7} {:>6} {:>6} {:>8} {:>8} {:>6}\n", "bus", "strategy",
        "each", "target", "±10 %", "±20 %", "lowest", "high", "x2", "÷2", "pause");
    for (const Bus& bus : buses) {
        for (const Settings& settings : {Settings{50ms, 200}, {100ms, 300}, {250ms, 500}}) {
            if (only != 0ms && only != settings.period) continue;
            for (const char* strategy : {"predictive", "stepwise"}) {
                GuardCourse course = follow(settings.period, settings.target);
                course.strategy = strategy;
                GuardStory story = play(course, bus.broker);
                const bool reached = tell_follow(bus.name, course, story);
                ok = ok && (reached || course.strategy != "predictive");
                if (settings.period == (only != 0ms ? only : 100ms)) {
                    drawn.push_back({bus.name + ", " + strategy, course, std::move(story)});
                }
            }
        }
    }
    return ok;
}

bool returns(const std::vector<Bus>& buses) {
    bool ok = true;
    fmt::print(
        "\n{:<9} {:<10} {:>8} {:>9} {:>7} {:>8} {:>10} {:>9}\n", "bus", "strategy", "slowest",
        "moderator", "behind", "highest", "overshoot", "±10 % end");
    for (const Bus& bus : buses) {
        for (const char* strategy : {"predictive", "stepwise"}) {
            GuardCourse course = press();
            course.strategy = strategy;
            const bool reached = tell_press(bus.name, course, play(course, bus.broker));
            ok = ok && (reached || course.strategy != "predictive");
        }
    }
    return ok;
}

} // namespace

int main(int count, char** arguments) {
    const std::string path = count > 1 ? arguments[1] : "guard-swarm.svg";
    const std::string which = count > 2 ? arguments[2] : "all";
    const std::chrono::milliseconds only{count > 3 ? std::atoi(arguments[3]) : 0};
    try {
        std::optional<tests::RabbitServer> server;
        std::vector<Bus> buses;
        if (which != "rabbitmq") buses.push_back({"embedded"});
        if (which != "embedded") {
            server.emplace();
            buses.push_back({"rabbitmq", server->url()});
        }
        std::vector<Drawn> drawn;
        const bool held = holds(buses, only, drawn);
        const bool returned = only != 0ms || returns(buses);
        if (!draw(path, drawn)) die(path + " could not be written");
        fmt::print("plot: {}\n", path);
        if (!held || !returned) fmt::print("the predictive guard did not reach its goal\n");
        return held && returned ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::exception& error) {
        die(error.what());
    }
}
