#include "colony/files/file_row.hpp"

#include "colony/stored.hpp"
#include "kernel/bytes.hpp"
#include "kernel/digest.hpp"
#include "kernel/encoding.hpp"

namespace hive::colony::files {
namespace {

FileRow row_in(const json::object& in) {
    FileRow row{
        .size = number_in<std::uint64_t>(in, "size"),
        .title = text_in(in, "title"),
        .sender = text_in(in, "sender"),
        .time = time_in(in, "time").value_or(Timestamp{}),
        .kind = text_in(in, "kind"),
        .lines = number_in<std::uint64_t>(in, "lines")};
    if (const auto* flaws = in.if_contains("flaws")) {
        for (const auto& item : flaws->as_array()) {
            const auto& flaw = item.as_object();
            row.flaws.push_back({text_in(flaw, "code"), text_in(flaw, "reason")});
        }
    }
    return row;
}

} // namespace

std::string digest_of(std::string_view bytes) {
    return to_hex(sha256(bytes_of(bytes)));
}

std::string to_stored(const FileRow& row) {
    json::object out{{"size", row.size}};
    put(out, "title", row.title);
    put(out, "sender", row.sender);
    put(out, "time", std::optional{row.time});
    put(out, "kind", row.kind);
    if (row.lines > 0) out["lines"] = row.lines;
    if (!row.flaws.empty()) {
        auto& flaws = out["flaws"].emplace_array();
        for (const Flaw& flaw : row.flaws)
            flaws.push_back(json::object{{"code", flaw.code}, {"reason", flaw.reason}});
    }
    return to_text(out);
}

Result<FileRow> from_stored(std::string_view text) {
    return read_stored("file", text, row_in);
}

} // namespace hive::colony::files
