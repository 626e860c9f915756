#include "audit/export.hpp"
#include "tests/support/audit_log.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hive;
using namespace hive::audit;
using hive::tests::AuditLog;

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return lines;
}

} // namespace

TEST_CASE("a header and a checkpoint read back from their lines") {
    const ExportHeader header{
        HiveId::parse("main").value(), 3, "a note\n\n\u2014 with \"lines\"\n"};
    const auto back = read_header_line(to_line(header));
    REQUIRE(back);
    CHECK(back->hive == header.hive);
    CHECK(back->checkpoints == 3);
    CHECK(back->closing == header.closing);
    CHECK(is_checkpoint_line(to_checkpoint_line(header.closing)));
    CHECK(read_checkpoint_line(to_checkpoint_line(header.closing)) == header.closing);
}

TEST_CASE("lines that are cut short or have more are refused") {
    const ExportHeader header{HiveId::parse("main").value(), 3, "note\n"};
    const std::string line = to_line(header);
    const std::string checkpoint = to_checkpoint_line("note\n");
    for (std::size_t size = 0; size < line.size(); ++size) {
        CHECK_FALSE(read_header_line(line.substr(0, size)));
    }
    for (std::size_t size = 0; size < checkpoint.size(); ++size) {
        CHECK_FALSE(read_checkpoint_line(checkpoint.substr(0, size)));
    }
    CHECK_FALSE(read_header_line(line + " "));
    CHECK_FALSE(read_checkpoint_line(checkpoint + " "));
}

TEST_CASE("an export of another version is refused by name") {
    const auto refused = read_header_line(R"({"format":"hive.audit.export/2","hive":"main"})");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().detail.find("hive.audit.export/1") != std::string::npos);
}

TEST_CASE("an export holds a header, all entries, and each checkpoint where it belongs") {
    const AuditLog log{12, 4};
    const auto text = log.exported();
    const auto lines = lines_of(text);
    REQUIRE(lines.size() == 1 + 12 + 2);
    const auto header = read_header_line(lines[0]);
    REQUIRE(header);
    CHECK(header->checkpoints == 2); // the third, of all 12, is the closing one
    CHECK(is_checkpoint_line(lines[5]));
    CHECK(is_checkpoint_line(lines[10]));
    CHECK(std::ranges::count_if(lines, is_checkpoint_line) == 2);
}

TEST_CASE("an export of an earlier state holds no more than that") {
    AuditLog log{6, 4};
    const auto closing = log.checkpoint();
    for (std::uint64_t i = 7; i <= 12; ++i) log.add(AuditLog::fact(i));
    log.save_checkpoint();
    CHECK(lines_of(log.exported(closing)).size() == 1 + 6 + 1);
}

TEST_CASE("a log of several pages is exported whole") {
    const AuditLog log{2 * page_max + 1, 700};
    CHECK(lines_of(log.exported()).size() == 1 + 2 * page_max + 1 + 2);
}

TEST_CASE("an export of entries that are not there is refused, and so is one nobody takes") {
    AuditLog log{4, 2};
    const auto closing = log.checkpoint();
    const auto no_room = [](std::string_view) -> Status { return fail(Errc::limit, "disk full"); };
    CHECK(write_export(log.ledger, closing, no_room).error().detail == "disk full");
    log.ledger.entries.pop_back();
    const auto written =
        write_export(log.ledger, closing, [](std::string_view) { return Status{}; });
    REQUIRE_FALSE(written);
    CHECK(written.error().code == Errc::conflict);
}
