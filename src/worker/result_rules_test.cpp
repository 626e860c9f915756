#include "worker/result_rules.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive;
using namespace hive::worker;

namespace {

ResultJudge judge_of(const char* text) {
    auto read = bind<ResultRules>(parse_json(text).value().as_object(), "resultRules");
    REQUIRE_MESSAGE(read, (read ? "" : read.error().detail));
    return ResultJudge::compile(*read).value();
}

std::string problems(const char* text) {
    const auto read = bind<ResultRules>(parse_json(text).value().as_object(), "resultRules");
    return read ? "" : read.error().detail;
}

bool says(const std::string& problem, const char* part) {
    return problem.find(part) != std::string::npos;
}

} // namespace

TEST_SUITE("result rules") {
    TEST_CASE("the code, its success and the dimensions are found where the rules say") {
        const auto judge = judge_of(R"~({
            "businessCode": {"source": "RESPONSE_BODY", "pattern": "\"code\":\"(\\w+)\""},
            "successRegex": "0|00|OK",
            "dimensions": [
                {"name": "Card Type", "source": "REQUEST_BODY", "pattern": "card=(\\w+)"},
                {"name": "node", "source": "RESPONSE_HEADER", "header": "X-Node",
                 "pattern": "(.+)"},
                {"name": "tenant", "source": "REQUEST_HEADER", "header": "tenant",
                 "pattern": "(t\\d)"}
            ]})~");
        const auto header = [](std::string_view name) -> std::string_view {
            return name == "X-Node" ? "n7" : "";
        };
        const auto seen = judge.judge(
            {.request_body = "amount=1&card=VISA",
             .response_body = R"({"code":"OK"} {"code":"E1"})",
             .request_header = header,
             .response_header = header});
        CHECK(seen.business_code == "OK"); // of the first match
        CHECK(seen.business_success == true);
        REQUIRE(seen.dimensions.size() == 2); // what is not found is left out
        CHECK(seen.dimensions[0] == std::pair<std::string, std::string>{"card-type", "VISA"});
        CHECK(seen.dimensions[1] == std::pair<std::string, std::string>{"node", "n7"});
        CHECK(judge.needs_response_body());
    }
    TEST_CASE("a code that matches only in part, or none at all, is no success") {
        const auto judge = judge_of(R"~({
            "businessCode": {"source": "RESPONSE_BODY", "pattern": "code=(\\d+)"},
            "successRegex": "0"})~");
        CHECK(judge.judge({.response_body = "code=0"}).business_success == true);
        CHECK(judge.judge({.response_body = "code=05"}).business_success == false);
        CHECK(judge.judge({.response_body = "nothing"}).business_success == false);
    }
    TEST_CASE("without a rule for success nothing is said about it") {
        const auto judge = judge_of(R"~({
            "businessCode": {"source": "RESPONSE_BODY", "pattern": "code=(\\d+)"}})~");
        CHECK_FALSE(judge.judge({.response_body = "code=5"}).business_success.has_value());
    }
    TEST_CASE("what is found can travel in a header, whatever it was") {
        const auto judge = judge_of(R"~({
            "businessCode": {"source": "RESPONSE_BODY", "pattern": "c=([\\s\\S]+)"}})~");
        CHECK(judge.judge({.response_body = "c=a\nb"}).business_code == "a\\nb");
        const std::string longest = "c=" + std::string(5000, 'x');
        CHECK(judge.judge({.response_body = longest}).business_code.size() < 300);
    }
    TEST_CASE("rules that cannot work are refused and say where") {
        CHECK(says(problems(R"~({"successRegex": "0"})~"), "no businessCode"));
        CHECK(says(
            problems(R"~({"businessCode": {"source": "RESPONSE_BODY", "pattern": "code"}})~"),
            "resultRules.businessCode: pattern has no group"));
        CHECK(says(
            problems(R"~({"dimensions":
                          [{"name": "a", "source": "REQUEST_HEADER", "pattern": "(.)"}]})~"),
            "resultRules.dimensions[0]: header is missing"));
        CHECK(says(
            problems(R"~({"businessCode": {"source": "RESPONSE_BODY", "pattern": "(a"}})~"),
            "cannot be used"));
        CHECK(says(
            problems(R"~({"businessCode": {"source": "BODY", "pattern": "(a)"}})~"),
            "resultRules.businessCode.source"));
    }
}
