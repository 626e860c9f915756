#include "audit/export.hpp"
#include "audit/export_verifier.hpp"
#include "tests/support/audit_log.hpp"

#include <doctest/doctest.h>

#include <utility>

using namespace hive;
using namespace hive::audit;
using hive::tests::AuditLog;

namespace {

using Lines = std::vector<std::string>;

constexpr std::uint64_t log_size = 12;

Lines lines_of(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n') + 1;
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

std::string joined(const Lines& lines) {
    std::string text;
    for (const auto& line : lines) text += line;
    return text;
}

// Twelve entries, checkpoints after 4 and 8, and the closing one in the header.
struct Subject {
    AuditLog log{log_size, 4};
    std::string text = log.exported();
    Lines lines = lines_of(text);
    std::vector<TrustedKey> keys = log.keys();

    Report verify(std::string_view bytes) const {
        ExportVerifier verifier{keys};
        verifier.feed(bytes);
        return verifier.finish();
    }

    // The entry that a fault in this line is to be charged to: its own, or for header and
    // checkpoints the one that comes next.
    std::uint64_t sequence_of(std::size_t line) const {
        std::uint64_t sequence = 1;
        for (std::size_t i = 1; i < line; ++i) sequence += is_checkpoint_line(lines[i]) ? 0 : 1;
        return sequence;
    }

    void check_found(std::string_view bytes, std::uint64_t sequence) const {
        const Report report = verify(bytes);
        REQUIRE_FALSE(report.good());
        CHECK_MESSAGE(report.fault->sequence == sequence, report.fault->reason);
        CHECK_FALSE(report.fault->reason.empty());
    }

    // Calls `visit(line, rest, verify)` for each line: the text from that line on, and a function
    // that verifies any text in its place. The lines before are verified only once.
    template <class Visit>
    void each_line(Visit&& visit) const {
        ExportVerifier before{keys};
        std::size_t offset = 0;
        for (std::size_t line = 0; line < lines.size(); ++line) {
            visit(line, text.substr(offset), [&](std::string_view rest) {
                ExportVerifier verifier = before;
                verifier.feed(rest);
                return verifier.finish();
            });
            REQUIRE(before.feed(lines[line]));
            offset += lines[line].size();
        }
    }
};

char flipped(char c, unsigned bits) {
    return static_cast<char>(static_cast<unsigned char>(c) ^ bits);
}

} // namespace

TEST_CASE("an untouched export is good, in pieces of any size") {
    const Subject subject;
    for (const std::size_t piece :
         {std::size_t{1}, std::size_t{7}, std::size_t{1000}, subject.text.size()}) {
        ExportVerifier verifier{subject.keys};
        for (std::size_t i = 0; i < subject.text.size(); i += piece) {
            REQUIRE(verifier.feed(std::string_view{subject.text}.substr(i, piece)));
        }
        const Report report = verifier.finish();
        CHECK(report.good());
        CHECK(report.entries == log_size);
        CHECK(report.checkpoints == 3);
        CHECK(report.covered == log_size);
    }
}

TEST_CASE("every flip of a single bit is found and located") {
    const Subject subject;
    std::size_t flips = 0;
    subject.each_line([&](std::size_t line, std::string rest, auto&& verify) {
        for (std::size_t i = 0; i < subject.lines[line].size(); ++i) {
            for (unsigned bit = 1; bit < 256; bit <<= 1U, ++flips) {
                const char original = std::exchange(rest[i], flipped(rest[i], bit));
                const Report report = verify(rest);
                rest[i] = original;
                REQUIRE_MESSAGE(!report.good(), "byte ", i, " of line ", line + 1);
                // The number of checkpoints in the header is only missed at the end.
                const bool late = line == 0 && report.fault->kind == FaultKind::missing;
                REQUIRE_MESSAGE(
                    (late || report.fault->sequence == subject.sequence_of(line)), "byte ", i,
                    " of line ", line + 1, ": ", report.fault->reason);
            }
        }
    });
    CHECK(flips == subject.text.size() * 8);
}

TEST_CASE("a byte of an entry replaced by any other value is found and located") {
    const Subject subject;
    subject.each_line([&](std::size_t line, std::string rest, auto&& verify) {
        const std::uint64_t sequence = subject.sequence_of(line);
        const bool entry = line > 0 && !is_checkpoint_line(subject.lines[line]);
        if (!entry || (sequence != 1 && sequence != 8)) return; // 8 has escapes in its fields
        for (std::size_t i = 0; i < subject.lines[line].size(); ++i) {
            for (unsigned bits = 1; bits < 256; ++bits) {
                const char original = std::exchange(rest[i], flipped(rest[i], bits));
                const Report report = verify(rest);
                rest[i] = original;
                REQUIRE_FALSE(report.good());
                REQUIRE(report.fault->sequence == sequence);
            }
        }
    });
}

TEST_CASE("every deleted and every inserted byte is found") {
    const Subject subject;
    subject.each_line([&](std::size_t line, const std::string& rest, auto&& verify) {
        for (std::size_t i = 0; i < subject.lines[line].size(); ++i) {
            std::string shorter = rest;
            shorter.erase(i, 1);
            const Report report = verify(shorter);
            REQUIRE_FALSE(report.good());
            CHECK(report.fault->sequence == subject.sequence_of(line));
            for (const char extra : {' ', '\n', '0', '"'}) {
                std::string longer = rest;
                longer.insert(i, 1, extra);
                REQUIRE_FALSE(verify(longer).good());
            }
        }
    });
}

TEST_CASE("every deleted line is found where it was") {
    const Subject subject;
    for (std::size_t i = 1; i < subject.lines.size(); ++i) {
        Lines lines = subject.lines;
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
        // A checkpoint that the header counts is only missed at the end.
        const bool checkpoint = is_checkpoint_line(subject.lines[i]);
        subject.check_found(joined(lines), checkpoint ? log_size + 1 : subject.sequence_of(i));
    }
    subject.check_found(joined({subject.lines.begin() + 1, subject.lines.end()}), 1);
}

TEST_CASE("every swap of neighbouring lines is found at the first of them") {
    const Subject subject;
    for (std::size_t i = 0; i + 1 < subject.lines.size(); ++i) {
        Lines lines = subject.lines;
        std::swap(lines[i], lines[i + 1]);
        // A checkpoint one entry late is noticed where it stands.
        const bool late = is_checkpoint_line(subject.lines[i]);
        subject.check_found(joined(lines), subject.sequence_of(i) + (late ? 1 : 0));
    }
}

TEST_CASE("every line put in a second time is found, wherever it is put") {
    const Subject subject;
    for (std::size_t i = 0; i < subject.lines.size(); ++i) {
        for (std::size_t at = 0; at <= subject.lines.size(); ++at) {
            Lines lines = subject.lines;
            lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), subject.lines[i]);
            CHECK_FALSE(subject.verify(joined(lines)).good());
        }
    }
}

TEST_CASE("an export cut anywhere is found, and the report says after which entry") {
    const Subject subject;
    subject.each_line([&](std::size_t line, const std::string& rest, auto&& verify) {
        for (std::size_t size = 0; size < subject.lines[line].size(); ++size) {
            const Report report = verify(rest.substr(0, size));
            REQUIRE_FALSE(report.good());
            CHECK(report.fault->sequence == subject.sequence_of(line));
        }
    });
}

TEST_CASE("an entry forged with a right hash is found at the next checkpoint") {
    const Subject subject;
    AuditLog forged{5, 4};
    Fact fact = AuditLog::fact(6);
    fact.actor = "human:mallory";
    forged.add(fact);
    for (std::uint64_t i = 7; i <= log_size; ++i) forged.add(AuditLog::fact(i));
    forged.ledger.checkpoints = subject.log.ledger.checkpoints;
    const Report report = subject.verify(forged.exported(subject.log.checkpoint()));
    REQUIRE_FALSE(report.good());
    CHECK(report.fault->kind == FaultKind::rewritten);
    CHECK(report.fault->sequence == 5);
}

TEST_CASE("entries that no checkpoint covers are refused, however well they fit") {
    const Subject subject;
    const AuditLog shorter{8, 4};
    Lines lines = lines_of(shorter.exported());
    REQUIRE(subject.verify(joined(lines)).good());
    lines.push_back(subject.lines[11]); // entry 9, as the honest log goes on
    const Report report = subject.verify(joined(lines));
    REQUIRE_FALSE(report.good());
    CHECK(report.fault->kind == FaultKind::uncovered);
    CHECK(report.fault->sequence == 9);
}

TEST_CASE("an older export is good by itself but not beside a newer checkpoint") {
    AuditLog log{8, 4};
    const std::string older = log.exported();
    for (std::uint64_t i = 9; i <= log_size; ++i) log.add(AuditLog::fact(i));
    ExportVerifier alone{log.keys()};
    alone.feed(older);
    CHECK(alone.finish().good());
    ExportVerifier pinned{log.keys(), {log.checkpoint().note}};
    pinned.feed(older);
    const Report report = pinned.finish();
    REQUIRE_FALSE(report.good());
    CHECK(report.fault->kind == FaultKind::truncated);
    CHECK(report.fault->sequence == 9);
}

TEST_CASE("an export with an older checkpoint kept elsewhere is good") {
    AuditLog log{7, 4};
    const std::string pin = log.checkpoint().note;
    for (std::uint64_t i = 8; i <= log_size; ++i) log.add(AuditLog::fact(i));
    ExportVerifier verifier{log.keys(), {pin}};
    verifier.feed(log.exported());
    const Report report = verifier.finish();
    CHECK(report.good());
    CHECK(report.checkpoints == 3); // after 4, the pin after 7, the closing one
}

TEST_CASE("details erased before the export leave it good and show as erased") {
    Subject subject;
    REQUIRE(subject.log.ledger.erase_details(6));
    const std::string text = subject.log.exported();
    CHECK(text.find("\"erased\":true") != std::string::npos);
    const Report report = subject.verify(text);
    CHECK(report.good());
    CHECK(report.erased == 1);
    // Erasing takes nothing away from what the entry itself says.
    CHECK(report.root == subject.verify(subject.text).root);
}

TEST_CASE("an export of an empty log is good, an empty file is not") {
    const AuditLog log;
    ExportVerifier verifier{log.keys()};
    verifier.feed(log.exported());
    CHECK(verifier.finish().good());
    CHECK_FALSE(ExportVerifier{log.keys()}.finish().good());
}

TEST_CASE("an export does not verify with another public key") {
    const Subject subject;
    ExportVerifier verifier{{TrustedKey::make(AuditLog::origin, VerifyingKey{{1}}).value()}};
    CHECK_FALSE(verifier.feed(subject.text));
    CHECK(verifier.finish().fault->kind == FaultKind::signature);
}

TEST_CASE("a line without end is refused before it fills the memory") {
    const Subject subject;
    ExportVerifier verifier{subject.keys};
    REQUIRE(verifier.feed(subject.lines[0]));
    const std::string piece(4096, 'x');
    std::size_t fed = 0;
    while (verifier.feed(piece)) fed += piece.size();
    CHECK(fed <= export_line_max);
    CHECK(verifier.finish().fault->kind == FaultKind::malformed);
}

TEST_CASE("a fault names the line of the file") {
    const Subject subject;
    Lines lines = subject.lines;
    lines[3] = "{}\n";
    const Report report = subject.verify(joined(lines));
    REQUIRE_FALSE(report.good());
    CHECK(report.fault->reason.starts_with("line 4: "));
    CHECK(name_of(report.fault->kind) == "malformed");
}
