// What the codecs cost, beside the fastest packaged JSON libraries on the same bytes.
#include "kernel/json.hpp"
#include "kernel/timestamp.hpp"
#include "wire/envelope_codec.hpp"
#include "wire/work_codec.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

using namespace hive;
using namespace hive::wire;

namespace {

constexpr int rounds = 300;
constexpr int calls = 2'000; // per round: short enough to fit between two interruptions

template <class T>
void keep(T& value) {
    asm volatile("" : : "r"(&value) : "memory");
}

// Work items are to cost no more than this many times the fastest library; control messages are
// rare, and their numbers are for information.
constexpr double demanded = 2.0;
enum class Demand { ratio, nothing };

std::string verdict(double ratio) {
    return fmt::format("  {} (demanded: {:.1f})", ratio <= demanded ? "ok" : "TOO SLOW", demanded);
}

struct Contender {
    std::string name;
    std::function<void()> call;
    double best_ns = 1e18;
    bool ours = false;
};

void run(Contender& contender) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) contender.call();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    contender.best_ns = std::min(contender.best_ns, took.count() / calls);
}

// Interleaved, and the best round of each, because the machine may be busy with other things.
void race(std::string_view title, std::vector<Contender> contenders, Demand demand) {
    for (int round = 0; round < rounds; ++round) {
        for (Contender& contender : contenders) run(contender);
    }
    double fastest = 1e18;
    for (const Contender& contender : contenders) {
        if (!contender.ours) fastest = std::min(fastest, contender.best_ns);
    }
    fmt::print("\n{}\n  {:<44}{:>10}{:>10}\n", title, "", "ns", "ratio");
    for (const Contender& contender : contenders) {
        fmt::print(
            "  {:<44}{:>10.0f}{:>10.2f}{}\n", contender.name, contender.best_ns,
            contender.best_ns / fastest,
            contender.ours && demand == Demand::ratio ? verdict(contender.best_ns / fastest) : "");
    }
}

Step step(std::string payload, std::string service) {
    const std::string instance = "alpha-" + service + "-1";
    return {.payload = std::move(payload), .by = {std::move(service), instance}};
}

// Three bees have seen it; `hops` of them left a hop.
WorkItem typical(std::size_t hops) {
    WorkItem item;
    item.headers.set("x-ph-seq", HeaderValue::json("1042"));
    item.headers.set("x-ph-call-id", "checkout");
    item.message_id = "7d9f2c1e-54f0-4b2a-9f36-0c7f5d1b8a11";
    item.steps.push_back(step("42", "generator"));
    item.steps.push_back(step(R"({"path":"/pay","method":"POST"})", "moderator"));
    item.steps.push_back(step(R"({"status":200})", "processor"));
    item.trace_id = "0af7651916cd43dd8448eb211c80319c";
    item.swarm_id = "alpha";
    const Timestamp start = *parse_timestamp("2026-01-20T12:00:00.125Z");
    for (std::size_t i = 0; i < hops; ++i) {
        const Timestamp at = start + std::chrono::milliseconds{5 * i};
        item.hops.push_back({item.steps[i].by, at, at + std::chrono::microseconds{1250}});
    }
    return item;
}

// Visits every value, as a reader of the document would.
std::size_t walk(simdjson::ondemand::value value) {
    namespace ondemand = simdjson::ondemand;
    switch (value.type()) {
    case ondemand::json_type::object: {
        std::size_t sum = 0;
        for (auto field : value.get_object()) {
            sum += std::string_view{field.unescaped_key()}.size() + walk(field.value());
        }
        return sum;
    }
    case ondemand::json_type::array: {
        std::size_t sum = 0;
        for (auto element : value.get_array()) sum += walk(element.value());
        return sum;
    }
    case ondemand::json_type::string: return std::string_view{value.get_string()}.size();
    case ondemand::json_type::number: return static_cast<std::size_t>(double{value.get_double()});
    case ondemand::json_type::boolean: return bool{value.get_bool()} ? 1U : 0U;
    case ondemand::json_type::null: return value.is_null() ? 1U : 0U;
    }
    std::abort();
}

void race_decode(const std::string& text, std::function<void()> ours, Demand demand) {
    const simdjson::padded_string padded{text};
    simdjson::dom::parser dom;
    simdjson::ondemand::parser ondemand;
    std::vector<unsigned char> arena(std::size_t{64} << 10U);
    race(
        fmt::format("decode {} bytes", text.size()),
        {{"simdjson, DOM",
          [&] {
              simdjson::dom::element root = dom.parse(padded);
              keep(root);
          }},
         // Compiled for the baseline of the architecture, unlike the DOM parser, which picks its
         // instructions at run time.
         {"simdjson, ondemand, every value visited",
          [&] {
              auto document = ondemand.iterate(padded);
              std::size_t sum = 0;
              for (auto field : document.get_object()) sum += walk(field.value());
              keep(sum);
          }},
         {"boost::json, parse into a monotonic resource",
          [&] {
              json::monotonic_resource resource{arena.data(), arena.size()};
              json::value root = json::parse(text, &resource);
              keep(root);
          }},
         {.name = "ours, to a validated value", .call = std::move(ours), .ours = true}},
        demand);
}

void race_encode(const std::string& text, std::function<void()> ours, Demand demand) {
    const json::value value = json::parse(text);
    simdjson::dom::parser parser;
    const simdjson::padded_string padded{text};
    const simdjson::dom::element element = parser.parse(padded);
    json::serializer serializer;
    std::vector<char> buffer(2 * text.size());
    race(
        fmt::format("encode {} bytes", text.size()),
        {{"boost::json, serialise into a buffer",
          [&] {
              serializer.reset(&value);
              auto written = serializer.read(buffer.data(), buffer.size());
              keep(written);
          }},
         {"simdjson, minify a DOM",
          [&] {
              std::string out = simdjson::minify(element);
              keep(out);
          }},
         {.name = "ours, into the caller's string", .call = std::move(ours), .ours = true}},
        demand);
}

void race_envelope(std::string_view name, const Envelope& envelope) {
    const std::string text = encode(envelope);
    fmt::print("\n== control message: {}\n", name);
    race_decode(
        text,
        [&] {
            auto decoded = decode_envelope(text);
            if (!decoded) std::abort();
            keep(*decoded);
        },
        Demand::nothing);
    race_encode(
        text,
        [&] {
            std::string out = encode(envelope);
            keep(out);
        },
        Demand::nothing);
}

void race_envelopes() {
    const Scope bee{
        *SwarmId::parse("alpha"), *Role::parse("processor"),
        *InstanceId::parse("alpha-processor-1")};
    const Sender sender{*Origin::parse("processor:alpha-processor-1"), Timestamp{}};
    const Flow flow{InputState::ok, OutputState::ok, {}};
    race_envelope(
        "status-delta", Envelope::status(
                            sender, bee,
                            StatusDelta{
                                .enabled = true,
                                .tps = 1250,
                                .io_state = {.work = flow},
                                .context = json::object{{"processed", 81'250}, {"failed", 3}}}));
    race_envelope(
        "config-update signal",
        Envelope::signal(
            sender, bee, {"7d9f2c1e-54f0-4b2a-9f36-0c7f5d1b8a11"},
            Signal::config_update({{"enabled", true}, {"ratePerSec", 125.5}})));
}

void race_work_item(const WorkItem& item) {
    std::string text;
    encode(item, text);
    fmt::print("\n== work item: {} steps, {} hops\n", item.steps.size(), item.hops.size());
    race_decode(
        text,
        [&] {
            auto decoded = decode_work_item(text);
            if (!decoded) std::abort();
            keep(*decoded);
        },
        Demand::ratio);
    std::string out;
    race_encode(
        text,
        [&] {
            out.clear();
            encode(item, out);
            keep(out);
        },
        Demand::ratio);
}

} // namespace

int main() {
    fmt::print("{} rounds of {} calls, interleaved; the best round counts\n", rounds, calls);
    race_work_item(typical(0));
    race_work_item(typical(3));
    race_envelopes();
    return 0;
}
