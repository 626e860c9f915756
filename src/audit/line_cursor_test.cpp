#include "audit/line_cursor.hpp"
#include "kernel/json.hpp"
#include "kernel/timestamp.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace hive;
using hive::audit::LineCursor;

namespace {

bool reads_string(std::string_view line) {
    std::string_view text;
    std::string scratch;
    LineCursor cursor{line};
    return cursor.string(text, scratch) && cursor.rest().empty();
}
bool reads_number(std::string_view line) {
    std::uint64_t number = 0;
    LineCursor cursor{line};
    return cursor.number(number) && cursor.rest().empty();
}
bool reads_time(std::string_view line) {
    Timestamp time;
    LineCursor cursor{line};
    return cursor.time(time) && cursor.rest().empty();
}

} // namespace

TEST_CASE("a literal is taken whole or not at all") {
    LineCursor cursor{"abc"};
    CHECK_FALSE(cursor.literal("abd"));
    CHECK_FALSE(cursor.literal("abcd"));
    CHECK(cursor.literal("ab"));
    CHECK(cursor.rest() == "c");
}

TEST_CASE("a number has one spelling") {
    CHECK(reads_number("0"));
    CHECK(reads_number("18446744073709551615"));
    for (const auto* text :
         {"", "-1", "+1", "01", "00", " 1", "1.0", "1e3", "18446744073709551616"}) {
        CHECK_MESSAGE(!reads_number(text), text);
    }
}

TEST_CASE("every string reads back as the writer wrote it") {
    std::string all;
    for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
    for (const std::string& text :
         {std::string{}, std::string{"plain"}, std::string{"Zoë \"quoted\" \\ \n"}, all}) {
        std::string line;
        append_json_string(line, text);
        line += ",rest";
        LineCursor cursor{line};
        std::string_view back;
        std::string scratch;
        REQUIRE(cursor.string(back, scratch));
        CHECK(back == text);
        CHECK(cursor.rest() == ",rest");
    }
}

TEST_CASE("other spellings of a string are refused") {
    for (const auto* line :
         {"", "\"", "\"open", "plain", R"("\/")", R"("\b")", R"("\u0041")", R"("\u000a")",
          R"("\u001F")", R"("\u00")", R"("\")", R"("\u0)", R"("\\)", R"("\ud83d\ude00")",
          "\"tab\there\"", "\"\\\"tab\there\""}) {
        CHECK_MESSAGE(!reads_string(line), line);
    }
}

TEST_CASE("a time has one spelling") {
    for (const auto* text :
         {"\"2025-06-15T12:00:00Z\"", "\"2025-06-15T12:00:00.250Z\"",
          "\"2025-06-15T12:00:00.000250Z\"", "\"2025-06-15T12:00:00.000000001Z\""}) {
        CHECK_MESSAGE(reads_time(text), text);
    }
    for (const auto* text :
         {"\"2025-06-15t12:00:00Z\"", "\"2025-06-15 12:00:00Z\"", "\"2025-06-15T12:00:00z\"",
          "\"2025-06-15T12:00:00+00:00\"", "\"2025-06-15T12:00:00.25Z\"",
          "\"2025-06-15T12:00:00.000Z\"", "\"2025-06-15T12:00:00.250000Z\"",
          "\"2025-06-15T23:59:60Z\"", "\"2025-06-31T12:00:00Z\"", "\"2025-06-15T12:00:00Z", "2025",
          "", "\"\"", "\"2025-06-15T12:00:00.000000000000000000001Z\""}) {
        CHECK_MESSAGE(!reads_time(text), text);
    }
}

TEST_CASE("hex is read in the size that is asked for") {
    std::array<std::uint8_t, 2> bytes{};
    LineCursor cursor{"00ff\""};
    CHECK(cursor.hex(bytes));
    CHECK(cursor.rest() == "\"");
    CHECK_FALSE(LineCursor{"00f"}.hex(bytes));
    CHECK_FALSE(LineCursor{"00FF"}.hex(bytes));
}
