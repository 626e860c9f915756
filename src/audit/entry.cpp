#include "audit/entry.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cassert>
#include <cstring>

namespace hive::audit {
namespace {

template <class To, class From>
To copy_of(const From& from) {
    To to{
        .sequence = from.sequence,
        .time = from.time,
        .hive{from.hive},
        .actor{from.actor},
        .action{from.action},
        .entity_type{from.entity_type},
        .entity_id{from.entity_id},
        .correlation_id{from.correlation_id},
        .request_id{from.request_id},
        .commitment = from.commitment,
        .hash = from.hash,
    };
    if (from.disclosure) {
        to.disclosure.emplace();
        to.disclosure->salt = from.disclosure->salt;
        to.disclosure->details = from.disclosure->details;
    }
    return to;
}

bool is_control(char c) {
    return (c >= 0 && c < ' ') || c == '\x7f';
}

Status check_field(std::string_view name, std::string_view text) {
    if (text.size() > field_bytes_max) {
        return fail(
            Errc::limit, fmt::format(
                             "audit field {} has {} bytes; at most {} are allowed", name,
                             text.size(), field_bytes_max));
    }
    if (std::ranges::any_of(text, is_control) || !simdjson::validate_utf8(text)) {
        return fail(
            Errc::invalid,
            fmt::format("audit field {} must be UTF-8 without control characters", name));
    }
    return {};
}

} // namespace

Status check(const Fact& fact) {
    struct Field {
        std::string_view name;
        const std::string& text;
        bool required;
    };
    const std::array<Field, 6> fields{{
        {"actor", fact.actor, true},
        {"action", fact.action, true},
        {"entityType", fact.entity_type, false},
        {"entityId", fact.entity_id, false},
        {"correlationId", fact.correlation_id, false},
        {"requestId", fact.request_id, false},
    }};
    for (const auto& field : fields) {
        if (field.required && field.text.empty()) {
            return fail(Errc::invalid, fmt::format("audit field {} must not be empty", field.name));
        }
        if (auto ok = check_field(field.name, field.text); !ok) return ok;
    }
    return {};
}

EntryView view_of(const Entry& entry) {
    return copy_of<EntryView>(entry);
}

Entry own(const EntryView& view) {
    return copy_of<Entry>(view);
}

bool is_hashable(const EntryView& entry) noexcept {
    const std::array<std::string_view, 7> texts{
        entry.hive,      entry.actor,          entry.action,    entry.entity_type,
        entry.entity_id, entry.correlation_id, entry.request_id};
    return std::ranges::all_of(
        texts, [](std::string_view text) { return text.size() <= field_bytes_max; });
}

CanonicalBytes::CanonicalBytes(const EntryView& entry) {
    put(bytes_of("HAE1"));
    put(entry.sequence, 8);
    put(static_cast<std::uint64_t>(entry.time.time_since_epoch().count()), 8);
    put(entry.commitment);
    put_text(entry.hive);
    put_text(entry.actor);
    put_text(entry.action);
    put_text(entry.entity_type);
    put_text(entry.entity_id);
    put_text(entry.correlation_id);
    put_text(entry.request_id);
}

void CanonicalBytes::put(std::uint64_t value, std::size_t width) {
    for (std::size_t i = width; i-- > 0;) {
        bytes_[size_++] = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

void CanonicalBytes::put(ByteView bytes) {
    std::memcpy(&bytes_[size_], bytes.data(), bytes.size());
    size_ += bytes.size();
}

void CanonicalBytes::put_text(std::string_view text) {
    assert(text.size() <= field_bytes_max);
    put(text.size(), 2);
    if (!text.empty()) put(bytes_of(text));
}

Digest genesis_of(std::string_view hive) {
    return sha256({bytes_of("HAG1"), bytes_of(hive)});
}

Digest chain_hash(const Digest& previous, const CanonicalBytes& entry) {
    return sha256({previous, entry.view()});
}

} // namespace hive::audit
