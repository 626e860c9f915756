#include "runtime/process/record.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::runtime;
using namespace hive::runtime::process;

namespace {

Record sample() {
    return {
        .name = {*SwarmId::parse("alpha"), *Role::parse("generator"), *InstanceId::parse("g-1")},
        .process = {.pid = 4711, .start_ticks = 18'446'744'073'709'551'615U, .boot = "b-1"},
        .started = Timestamp{std::chrono::milliseconds{1'750'000'000'123}},
        .log_from = 99};
}

std::string with(std::string_view from, std::string_view to) {
    std::string text = to_text(sample());
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("a record is read as it was written") {
    const auto read = parse_record(to_text(sample()));
    REQUIRE(read.has_value());
    CHECK(read->name == sample().name);
    CHECK(read->process == sample().process);
    CHECK(read->started == sample().started);
    CHECK(read->log_from == 99);
}

TEST_CASE("what is not a record is refused") {
    for (const std::string& text :
         {std::string{}, std::string{"[]"}, std::string{"{}"}, with("4711", "0"),
          with("4711", "-1"), with("4711", "2147483648"), with("4711", "\"4711\""),
          with("4711", "1.5"), with("alpha", "../alpha"), with("g-1", "a.b"), with("2025", "year"),
          with("\"bootId\"", "\"boot\"")}) {
        CHECK_MESSAGE(!parse_record(text).has_value(), text);
    }
}
