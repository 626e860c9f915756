#include "audit/export.hpp"

#include "audit/entry_json.hpp"
#include "audit/line_cursor.hpp"
#include "kernel/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace hive::audit {
namespace {

constexpr std::string_view checkpoint_start = "{\"checkpoint\":";

// Visits the ledger's checkpoints of fewer than `size` entries, page by page.
class EarlierCheckpoints {
public:
    EarlierCheckpoints(const Ledger& ledger, std::uint64_t size) : ledger_{ledger}, size_{size} {}

    // Null at the end.
    Result<const SignedCheckpoint*> next() {
        if (at_ == page_.size()) {
            auto page = ledger_.checkpoints_after(last_, page_max);
            if (!page) return fail(page.error());
            page_ = std::move(*page);
            at_ = 0;
        }
        if (page_.empty() || page_[at_].checkpoint.size >= size_) return nullptr;
        last_ = page_[at_].checkpoint.size;
        return &page_[at_++];
    }

private:
    const Ledger& ledger_;
    std::uint64_t size_;
    std::uint64_t last_ = 0;
    std::vector<SignedCheckpoint> page_{};
    std::size_t at_ = 0;
};

Result<std::uint64_t> count(EarlierCheckpoints checkpoints) {
    for (std::uint64_t found = 0;; ++found) {
        const auto next = checkpoints.next();
        if (!next) return fail(next.error());
        if (*next == nullptr) return found;
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

Status write_export(
    const Ledger& ledger, const SignedCheckpoint& closing,
    const std::function<Status(std::string_view)>& sink) {
    const std::uint64_t size = closing.checkpoint.size;
    EarlierCheckpoints checkpoints{ledger, size};
    const auto head = ledger.head();
    if (!head) return fail(head.error());
    const auto total = count(checkpoints);
    if (!total) return fail(total.error());
    std::string out = to_line({head->hive, *total, closing.note}) + '\n';

    auto due = checkpoints.next();
    for (std::uint64_t written = 0; written < size;) {
        const auto limit =
            static_cast<std::size_t>(std::min<std::uint64_t>(page_max, size - written));
        const auto page = ledger.read(written + 1, limit);
        if (!page) return fail(page.error());
        if (page->empty()) {
            return fail(
                Errc::conflict,
                fmt::format("the log ends after entry {}; {} are to be exported", written, size));
        }
        for (const Entry& entry : *page) {
            append_json(out, view_of(entry));
            out += '\n';
            written = entry.sequence;
            if (!due) return fail(due.error());
            if (*due == nullptr || (*due)->checkpoint.size != written) continue;
            out += to_checkpoint_line((*due)->note) + '\n';
            due = checkpoints.next();
        }
        if (auto ok = sink(out); !ok) return ok;
        out.clear();
    }
    return out.empty() ? Status{} : sink(out);
}

} // namespace hive::audit
