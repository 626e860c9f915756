#include "tests/support/line_under_test.hpp"
#include "tests/support/scratch_directory.hpp"
#include "worker/csv_feed.hpp"
#include "worker/job.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>

using namespace hive;
using namespace hive::worker;
using tests::LineUnderTest;

namespace {

struct Files {
    tests::ScratchDirectory directory{};
    std::string write(std::string_view name, std::string_view text) const {
        const auto path = directory.path() / name;
        std::ofstream{path, std::ios::binary} << text;
        return path.string();
    }
};

struct FeedUnderTest {
    VirtualClock clock{};
    std::unique_ptr<Feed> feed;
    wire::WorkItem item{};

    explicit FeedUnderTest(const CsvInput& input) : feed{CsvFeed::open(input, clock).value()} {}
    std::string next() {
        item = {};
        return feed->next(item).value() ? std::string{item.payload()} : "none";
    }
    json::object report() const {
        json::object out;
        feed->report(out);
        return out["csv"].as_object();
    }
};

std::string reading(const std::string& path, std::string_view more = "") {
    return fmt::format(
        R"({{"inputs":{{"type":"CSV_DATASET","csv":{{"filePath":"{}","ratePerSec":100000{}}}}}}})",
        path, more);
}

} // namespace

TEST_CASE("each row is an item that says where it is from; at the end there is no more data") {
    const Files files;
    const auto path = files.write("a.csv", "id,name\n1,Ann\nbroken\n2,Bob\n");
    FeedUnderTest under{{.file_path = {path}}};
    CHECK(under.next() == R"({"id":"1","name":"Ann"})");
    CHECK(under.item.headers.text(header::csv_file) == path);
    CHECK(under.item.headers.find(header::csv_row)->str() == "1");
    CHECK(under.next() == R"({"id":"2","name":"Bob"})");
    CHECK(under.item.headers.find(header::csv_row)->str() == "3"); // a bad row has a number too
    CHECK(under.feed->state() == wire::InputState::ok);
    CHECK(under.next() == "none");
    CHECK(under.feed->state() == wire::InputState::out_of_data);
    CHECK_FALSE(under.feed->again());
    CHECK(under.report()["badRows"] == 1);
    CHECK(under.report()["lastBadRow"].at("line") == 3);
}

TEST_CASE("a file that rotates begins again, unless no row of it can be used") {
    const Files files;
    FeedUnderTest under{{.file_path = {files.write("a.csv", "n\n1\n2\n")}, .rotate = true}};
    std::string all;
    for (int i = 0; i < 5; ++i) all += under.next();
    CHECK(all == R"({"n":"1"}{"n":"2"}{"n":"1"}{"n":"2"}{"n":"1"})");
    CHECK(under.report()["rounds"] == 2);

    FeedUnderTest bad{{.file_path = {files.write("b.csv", "n\n1,2\n3,4\n")}, .rotate = true}};
    CHECK(bad.next() == "none");
    CHECK(bad.feed->state() == wire::InputState::out_of_data);
}

TEST_CASE("bad rows without end do not hold up the bee") {
    const Files files;
    std::string text = "n\n";
    for (int i = 0; i < 10'000; ++i) text += "1,2\n";
    FeedUnderTest under{{.file_path = {files.write("a.csv", text + "3\n")}}};
    CHECK(under.next() == "none");
    CHECK(under.feed->state() == wire::InputState::ok);
    CHECK(under.feed->again() == under.clock.now());
    std::string found = "none";
    for (int i = 0; i < 1000 && found == "none"; ++i) found = under.next();
    CHECK(found == R"({"n":"3"})");
    CHECK(under.report()["badRows"] == 10'000);
}

TEST_CASE("a bee takes every row once, in order, and says when there are no more") {
    const Files files;
    std::string text = "n\n";
    constexpr int count = 5000;
    for (int i = 0; i < count; ++i) text += std::to_string(i) + "\n";
    LineUnderTest bee;
    const std::string config = reading(files.write("a.csv", text));
    REQUIRE(bee.check(config));
    bee.configure(config);
    bee.enable(true);
    const auto seen = bee.payloads(count);
    REQUIRE(seen.size() == count);
    for (int i = 0; i < count; ++i) {
        if (seen[static_cast<std::size_t>(i)] != fmt::format(R"({{"n":"{}"}})", i)) FAIL(i);
    }
    CHECK(bee.eventually([](const WorkloadReport& report) {
        return report.flow.input == wire::InputState::out_of_data;
    }));
}

TEST_CASE("another file takes over while the bee works; a missing one is refused before") {
    const Files files;
    LineUnderTest bee;
    bee.configure(reading(files.write("a.csv", "n\n1\n"), R"(,"rotate":true)"));
    bee.enable(true);
    CHECK(bee.payloads(100).size() >= 100);

    const auto refused = bee.check(reading("/nowhere/b.csv"));
    REQUIRE_FALSE(refused);
    CHECK(
        refused.error().detail ==
        "config.inputs.csv.filePath: cannot open /nowhere/b.csv: No such file or directory");
    CHECK(
        bee.check(R"({"inputs":{"type":"CSV_DATASET"}})").error().detail.find("csv.filePath") !=
        std::string::npos);
    CHECK_FALSE(bee.check(reading("/nowhere/b.csv", R"(,"delimiter":"::")")));

    bee.configure(reading(files.write("b.csv", "n\n2\n")));
    CHECK(bee.eventually([](const WorkloadReport& report) {
        return report.flow.input == wire::InputState::out_of_data;
    }));
    CHECK(bee.payloads(1).back() == R"({"n":"2"})");
    CHECK(bee.reason().empty());
}
