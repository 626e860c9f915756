#include "kernel/finding.hpp"

#include <doctest/doctest.h>

using namespace hive;

namespace {

const Finding bad_port{
    .code = "out-of-range",
    .file = "hive.yaml",
    .at = {2, 9},
    .key = "http.port",
    .message = "http.port is 99999; expected an integer from 1 to 65535",
    .hint = "choose a free port, e.g. 8080"};

} // namespace

TEST_CASE("a finding reads like a compiler's, with the line and a caret under the column") {
    const SourceText source{"hive.yaml", "http:\n  port: 99999\n"};
    CHECK(
        render({{bad_port}}, {{source}}) ==
        "hive.yaml:2:9: error: http.port is 99999; expected an integer from 1 to 65535\n"
        "    2 |   port: 99999\n"
        "      |         ^\n"
        "      = choose a free port, e.g. 8080\n");
}

TEST_CASE("a finding without a file shows only what it has to say") {
    const Finding finding{.origin = "--port", .message = "--port is 0"};
    CHECK(render({{finding}}) == "error: --port is 0\n");
    const Finding note{.severity = Severity::note, .message = "all is well"};
    CHECK(render({{note}}) == "note: all is well\n");
}

TEST_CASE("no secret is shown in a source line") {
    auto finding = bad_port;
    finding.at = {1, 1};
    const auto shown = [&](const char* line) {
        return render({{finding}}, {{{"hive.yaml", line}}});
    };
    CHECK(shown("password: hunter2").find("hunter2") == std::string::npos);
    CHECK(shown("{a: 1, Db_Password: hunter2}").find("hunter2") == std::string::npos);
    CHECK(shown("url: amqp://bee:hunter2@host").find("hunter2") == std::string::npos);
    finding.secret = true;
    CHECK(shown("pin: hunter2").find("hunter2") == std::string::npos);
}

TEST_CASE("the caret stands under its column behind tabs and wide characters") {
    auto finding = bad_port;
    finding.at = {1, 4};
    CHECK(
        render({{finding}}, {{{"hive.yaml", "\t\xc3\xa9x"}}}).find("|  \xc3\xa9x\n      |   ^") !=
        std::string::npos);
    finding.at = {7, 4000}; // beyond the text: no line to show, no crash
    CHECK(render({{finding}}, {{{"hive.yaml", "x"}}}).find('|') == std::string::npos);
}

TEST_CASE("findings as JSON leave out what is not known") {
    const json::value value = to_json(Finding{.code = "c", .origin = "--x", .message = "m"});
    CHECK(to_text(value) == R"({"severity":"error","code":"c","origin":"--x","message":"m"})");
    CHECK(
        to_text(to_json(std::span{&bad_port, 1})).find(R"("line":2,"column":9)") !=
        std::string::npos);
}

TEST_CASE("only errors count as errors") {
    auto warning = bad_port;
    warning.severity = Severity::warning;
    CHECK_FALSE(has_errors({{warning}}));
    CHECK(has_errors({{warning, bad_port}}));
    CHECK_FALSE(has_errors({}));
}
