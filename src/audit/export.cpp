#include "audit/export.hpp"

#include "audit/entry_json.hpp"
#include "audit/line_cursor.hpp"
#include "kernel/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::audit {
namespace {

constexpr std::string_view checkpoint_start = "{\"checkpoint\":";

Result<std::uint64_t> count_checkpoints(const Ledger& ledger, std::uint64_t below) {
    std::uint64_t found = 0;
    for (std::uint64_t last = 0;;) {
        const auto page = ledger.checkpoints_after(last, page_max);
        if (!page) return fail(page.error());
        for (const auto& signed_one : *page) {
            if (signed_one.checkpoint.size >= below) return found;
            last = signed_one.checkpoint.size;
            ++found;
        }
        if (page->size() < page_max) return found;
    }
}

} // namespace

std::string to_line(const ExportHeader& header) {
    std::string line = fmt::format(
        "{{\"format\":\"{}\",\"hive\":\"{}\",\"checkpoints\":{},\"closing\":", export_format,
        header.hive.text(), header.checkpoints);
    append_json_string(line, header.closing);
    line += '}';
    return line;
}

Result<ExportHeader> read_header_line(std::string_view line) {
    const auto refuse = [] {
        return fail(
            Errc::invalid,
            fmt::format("the first line is not the header of an export ({})", export_format));
    };
    LineCursor cursor{line};
    std::string_view text;
    std::string scratch;
    if (!cursor.literal("{\"format\":") || !cursor.string(text, scratch)) return refuse();
    if (text != export_format) {
        return fail(
            Errc::invalid,
            fmt::format("this program reads {}, not another format of export", export_format));
    }
    if (!cursor.literal(",\"hive\":") || !cursor.string(text, scratch)) return refuse();
    auto hive = HiveId::parse(text);
    if (!hive) return fail(hive.error());
    ExportHeader header{.hive = std::move(*hive), .closing = {}};
    if (!cursor.literal(",\"checkpoints\":") || !cursor.number(header.checkpoints) ||
        !cursor.literal(",\"closing\":") || !cursor.string(text, scratch) || !cursor.literal("}") ||
        !cursor.rest().empty()) {
        return refuse();
    }
    header.closing = text;
    return header;
}

std::string to_checkpoint_line(std::string_view note) {
    std::string line{checkpoint_start};
    append_json_string(line, note);
    line += '}';
    return line;
}

bool is_checkpoint_line(std::string_view line) noexcept {
    return line.starts_with(checkpoint_start);
}

Result<std::string> read_checkpoint_line(std::string_view line) {
    LineCursor cursor{line};
    std::string_view note;
    std::string scratch;
    if (!cursor.literal(checkpoint_start) || !cursor.string(note, scratch) ||
        !cursor.literal("}") || !cursor.rest().empty()) {
        return fail(Errc::invalid, "not a checkpoint line: {\"checkpoint\":\"...\"} expected");
    }
    return std::string{note};
}

Result<std::string> ExportWriter::next(const Ledger& ledger) {
    if (!begun_) return begin(ledger);
    const std::uint64_t size = closing_.checkpoint.size;
    if (written_ == size) return std::string{};
    const auto limit = static_cast<std::size_t>(std::min<std::uint64_t>(page_max, size - written_));
    const auto page = ledger.read(written_ + 1, limit);
    if (!page) return fail(page.error());
    if (page->empty()) {
        return fail(
            Errc::conflict,
            fmt::format("the log ends after entry {}; {} are to be exported", written_, size));
    }
    // No two checkpoints have the same size, so a page of entries meets at most a page of them.
    const auto notes = ledger.checkpoints_after(written_, page_max);
    if (!notes) return fail(notes.error());
    auto due = notes->begin();
    std::string out;
    for (const Entry& entry : *page) {
        append_json(out, view_of(entry));
        out += '\n';
        written_ = entry.sequence;
        if (due == notes->end() || due->checkpoint.size != written_) continue;
        if (written_ < size) out += to_checkpoint_line(due->note) + '\n';
        ++due;
    }
    return out;
}

Result<std::string> ExportWriter::begin(const Ledger& ledger) {
    const auto head = ledger.head();
    if (!head) return fail(head.error());
    const auto total = count_checkpoints(ledger, closing_.checkpoint.size);
    if (!total) return fail(total.error());
    begun_ = true;
    return to_line({head->hive, *total, closing_.note}) + '\n';
}

Status write_export(
    const Ledger& ledger, const SignedCheckpoint& closing,
    const std::function<Status(std::string_view)>& sink) {
    ExportWriter writer{closing};
    for (;;) {
        const auto piece = writer.next(ledger);
        if (!piece) return fail(piece.error());
        if (piece->empty()) return {};
        if (auto ok = sink(*piece); !ok) return ok;
    }
}

} // namespace hive::audit
