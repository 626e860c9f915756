#include "wire/envelope.hpp"
#include "wire/envelope_codec.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::wire;

namespace {

const Sender queen{*Origin::parse("orchestrator:queen"), Timestamp{std::chrono::seconds{1}}};
const auto alpha = *SwarmId::parse("alpha");
const Scope controller{alpha, controller_role(), *InstanceId::parse("alpha-marshal")};
const Scope bee{alpha, *Role::parse("processor"), *InstanceId::parse("alpha-processor-1")};
const Attempt attempt{"c-1", "k-1"};

std::string why(const Envelope& envelope) {
    const auto ok = check(envelope);
    return ok ? "" : ok.error().detail;
}

} // namespace

TEST_CASE("every field of an envelope is written, also those that are null") {
    CHECK(
        encode(Envelope::signal(queen, controller, {"c-1"}, Signal::swarm_start())) ==
        R"({"timestamp":"1970-01-01T00:00:01Z","version":"1","kind":"signal","type":"swarm-start",)"
        R"("origin":"orchestrator:queen","scope":{"swarmId":"alpha","role":"swarm-controller",)"
        R"("instance":"alpha-marshal"},"correlationId":"c-1","idempotencyKey":null,"data":{}})");
}

TEST_CASE("an outcome repeats the attempt of its signal") {
    const auto signal = Envelope::signal(queen, controller, attempt, Signal::swarm_stop());
    CHECK(attempt_of(signal) == attempt);
    const auto outcome = Envelope::outcome(
        queen, controller, attempt_of(signal), Outcome::succeeded(Command::swarm_stop));
    CHECK(outcome.correlation_id == "c-1");
    CHECK(outcome.idempotency_key == "k-1");
}

TEST_CASE("each command ends with the statuses of the contract") {
    const auto status = [](Command command) { return success_of(command); };
    CHECK(status(Command::swarm_create) == OutcomeStatus::ready);
    CHECK(status(Command::swarm_template) == OutcomeStatus::ready);
    CHECK(status(Command::swarm_plan) == OutcomeStatus::ready);
    CHECK(status(Command::swarm_start) == OutcomeStatus::running);
    CHECK(status(Command::swarm_stop) == OutcomeStatus::stopped);
    CHECK(status(Command::swarm_remove) == OutcomeStatus::removed);
    CHECK(status(Command::config_update) == OutcomeStatus::applied);
    for (const Command command :
         {Command::swarm_create, Command::swarm_start, Command::swarm_stop,
          Command::swarm_remove}) {
        CHECK(Outcome::failed(command).retryable == true);
    }
    for (const Command command :
         {Command::swarm_template, Command::swarm_plan, Command::config_update}) {
        CHECK(Outcome::failed(command).retryable == false);
    }
    CHECK(!Outcome::not_ready(Command::swarm_start, {}).retryable.has_value());
    CHECK(Outcome::applied(true).enabled == true);
}

TEST_CASE("a value that breaks a rule is found before it is sent") {
    CHECK(
        why(Envelope::signal(queen, {}, attempt, Signal::swarm_start())).find("scope.swarmId") ==
        0);
    CHECK(
        why(Envelope::signal(queen, controller, {""}, Signal::swarm_start())) ==
        "correlationId: must not be empty");
    CHECK(
        why(Envelope::alert(queen, bee, {})) ==
        "data.code: must not be empty; data.message: must not be empty");
    CHECK(
        why(Envelope::status(
            queen, bee, StatusFull{.context = json::object{{"workers", nullptr}}})) ==
        "data.context.workers: only a swarm-controller lists workers");
}

TEST_CASE("all that is wrong with a message is said at once") {
    const auto decoded = decode_envelope(
        R"({"timestamp":"now","version":"2","kind":"metric","type":"status-delta","origin":"",
            "scope":{"swarmId":"a","role":"r","instance":"i"},"correlationId":3,
            "data":{"enabled":1,"ioState":{"work":{"input":"fine","output":"ok"}},"io":{}}})");
    REQUIRE(!decoded.has_value());
    const std::string& detail = decoded.error().detail;
    for (const std::string_view part :
         {"version: '2'", "timestamp: 'now'", "origin: ", "correlationId: must be a string or null",
          "idempotencyKey: is missing", "data.enabled: must be true or false",
          "data.ioState.work.input: 'fine' is not one of ok, out-of-data, backpressure, "
          "upstream-error, unknown",
          "data.'io': is not a known field"}) {
        CHECK_MESSAGE(detail.find(part) != std::string::npos, part, " in ", detail);
    }
}

TEST_CASE("rules are not checked against what could not be read") {
    const auto decoded = decode_envelope(
        R"({"timestamp":"2025-09-12T12:34:56Z","version":"1","kind":"outcome","type":"swarm-start",
            "origin":"x","scope":{"swarmId":"a","role":"r","instance":"i"},"correlationId":1,
            "idempotencyKey":null,"data":{"status":"Done"}})");
    CHECK(
        decoded.error().detail ==
        "correlationId: must be a string or null; data.status: 'Done' is not one of Ready, "
        "Running, Stopped, Removed, Applied, Failed, NotReady");
}

TEST_CASE("the answer to a hostile message is bounded") {
    std::string text = "{";
    for (int i = 0; i < 5000; ++i)
        text += '"' + std::string(200, 'k') + std::to_string(i) + "\":1,";
    text += "\"last\":1}";
    const auto decoded = decode_envelope(text, {.bytes = std::size_t{4} << 20U});
    REQUIRE(!decoded.has_value());
    CHECK(decoded.error().detail.size() < 4000);
    CHECK(decoded.error().detail.find(" more") != std::string::npos);
}

TEST_CASE("a message over a limit or not JSON is refused") {
    CHECK(decode_envelope("{}", {.bytes = 1}).error().code == Errc::limit);
    CHECK(decode_envelope("").error().detail.find("not valid JSON at byte 0") == 0);
    CHECK(decode_envelope("[]").error().detail == "a control message must be an object");
    CHECK(decode_envelope(std::string(1000, '[')).error().code == Errc::invalid);
}

TEST_CASE("numbers come back exactly, and a whole number is one however it is written") {
    const auto passed_on = [](std::string_view number) {
        const auto decoded = decode_envelope(
            R"({"timestamp":"2025-09-12T12:34:56Z","version":"1","kind":"signal",
                "type":"config-update","origin":"x",
                "scope":{"swarmId":"ALL","role":"ALL","instance":"ALL"},"correlationId":"c",
                "idempotencyKey":null,"data":{"n":)" +
            std::string{number} + "}}");
        REQUIRE(decoded.has_value());
        const std::string text = encode(*decoded);
        const std::size_t at = text.rfind(':') + 1;
        return text.substr(at, text.size() - at - 2);
    };
    CHECK(passed_on("365157.29877364077") == "365157.29877364077"); // boost::json misses this one
    CHECK(passed_on("100.0") == "100");
    CHECK(passed_on("-0.0") == "0");
    CHECK(passed_on("18446744073709551615") == "18446744073709551615");
}

TEST_CASE("text that is not UTF-8 is repaired on its way out") {
    const auto text = encode(Envelope::alert(queen, bee, {.code = "c", .message = "a\xff"}));
    const auto decoded = decode_envelope(text);
    REQUIRE(decoded.has_value());
    CHECK(std::get<Alert>(decoded->body).message == "a\xEF\xBF\xBD");
}

TEST_CASE("an origin is a role with an instance, or a bare name") {
    CHECK(Origin{*Role::parse("processor"), *InstanceId::parse("p-1")}.text() == "processor:p-1");
    CHECK(Origin::parse("hive-ui")->text() == "hive-ui");
    for (const char* text : {"", " ", ":", "a:", ":b", "a:b:c", "ALL", "a.b"}) {
        CAPTURE(text);
        CHECK(!Origin::parse(text).has_value());
    }
}
