#include "audit/entry_json.hpp"

#include "audit/line_cursor.hpp"
#include "kernel/append_format.hpp"
#include "kernel/encoding.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

namespace hive::audit {
namespace {

struct TextField {
    std::string_view name; // as it stands in the line
    std::string_view EntryView::* member;
};

constexpr std::array<TextField, 7> text_fields{{
    {",\"hive\":", &EntryView::hive},
    {",\"actor\":", &EntryView::actor},
    {",\"action\":", &EntryView::action},
    {",\"entityType\":", &EntryView::entity_type},
    {",\"entityId\":", &EntryView::entity_id},
    {",\"correlationId\":", &EntryView::correlation_id},
    {",\"requestId\":", &EntryView::request_id},
}};

Error misread(const LineCursor& cursor, std::string_view line, std::string_view expected) {
    return {
        Errc::invalid, fmt::format(
                           "not an audit entry: {} expected at byte {}", expected,
                           line.size() - cursor.rest().size())};
}

// The rest of the line: salt and details, or the word that they are gone.
bool read_disclosure(LineCursor& cursor, EntryView& entry) {
    if (cursor.literal("\",\"erased\":true}")) return cursor.rest().empty();
    BasicDisclosure<std::string_view> disclosure;
    if (!cursor.literal("\",\"salt\":\"") || !cursor.hex(disclosure.salt) ||
        !cursor.literal("\",\"details\":")) {
        return false;
    }
    const std::string_view rest = cursor.rest();
    if (!rest.starts_with('{') || !rest.ends_with("}}")) return false;
    disclosure.details = rest.substr(0, rest.size() - 1);
    entry.disclosure = disclosure;
    return disclosure.details.size() <= details_bytes_max;
}

} // namespace

void append_json(std::string& out, const EntryView& entry) {
    append_format(out, "{{\"sequence\":{},\"time\":\"", entry.sequence);
    append_timestamp(out, entry.time);
    out += '"';
    for (const auto& field : text_fields) {
        out += field.name;
        append_json_string(out, entry.*field.member);
    }
    out += ",\"detailsHash\":\"";
    append_hex(out, entry.commitment);
    out += "\",\"hash\":\"";
    append_hex(out, entry.hash);
    if (entry.erased()) {
        out += "\",\"erased\":true}";
        return;
    }
    out += "\",\"salt\":\"";
    append_hex(out, entry.disclosure->salt);
    out += "\",\"details\":";
    out += entry.disclosure->details;
    out += '}';
}

Result<EntryView> EntryReader::read(std::string_view line) {
    LineCursor cursor{line};
    EntryView entry;
    if (!cursor.literal("{\"sequence\":") || !cursor.number(entry.sequence)) {
        return fail(misread(cursor, line, "a sequence number"));
    }
    if (!cursor.literal(",\"time\":") || !cursor.time(entry.time)) {
        return fail(misread(cursor, line, "a time in UTC"));
    }
    for (std::size_t i = 0; i < text_fields.size(); ++i) {
        std::string_view& text = entry.*text_fields[i].member;
        if (!cursor.literal(text_fields[i].name) || !cursor.string(text, scratch_[i]) ||
            text.size() > field_bytes_max) {
            return fail(misread(cursor, line, text_fields[i].name.substr(1)));
        }
    }
    if (!cursor.literal(",\"detailsHash\":\"") || !cursor.hex(entry.commitment)) {
        return fail(misread(cursor, line, "the hash of the details"));
    }
    if (!cursor.literal("\",\"hash\":\"") || !cursor.hex(entry.hash)) {
        return fail(misread(cursor, line, "the hash of the entry"));
    }
    if (!read_disclosure(cursor, entry)) {
        return fail(misread(cursor, line, "salt and details, or \"erased\":true,"));
    }
    return entry;
}

} // namespace hive::audit
