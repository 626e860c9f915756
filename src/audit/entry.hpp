#pragma once

#include "audit/details.hpp"
#include "kernel/clock.hpp"
#include "kernel/digest.hpp"
#include "kernel/id.hpp"
#include "kernel/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hive::audit {

inline constexpr std::size_t field_bytes_max = 255;

// Something that happened and is to be recorded. Texts are UTF-8 without control characters, at
// most field_bytes_max bytes; only actor and action must not be empty.
struct Fact {
    Timestamp time{};
    std::string actor;  // who: `human:alice`, `bee:BOT-003`, `orchestrator:queen`
    std::string action; // what: `task.claimed`, `auth.failed`
    std::string entity_type{};
    std::string entity_id{};
    std::string correlation_id{};
    std::string request_id{};
    Details details{};
};

Status check(const Fact& fact); // the error names the field

template <class Text>
struct BasicDisclosure {
    Salt salt{};
    Text details{};
    bool operator==(const BasicDisclosure&) const = default;
};

// A fact in its place in the chain. `Entry` owns its texts; `EntryView` points into someone's
// buffer.
template <class Text>
struct BasicEntry {
    std::uint64_t sequence = 0; // from 1, without gaps
    Timestamp time{};
    Text hive{};
    Text actor{};
    Text action{};
    Text entity_type{};
    Text entity_id{};
    Text correlation_id{};
    Text request_id{};
    Digest commitment{};                               // to salt and details
    Digest hash{};                                     // of the chain up to and with this entry
    std::optional<BasicDisclosure<Text>> disclosure{}; // absent once erased

    bool erased() const noexcept { return !disclosure; }
    bool operator==(const BasicEntry&) const = default;
};

using Disclosure = BasicDisclosure<std::string>;
using Entry = BasicEntry<std::string>;
using EntryView = BasicEntry<std::string_view>;

EntryView view_of(const Entry& entry);
Entry own(const EntryView& view);

// Whether every text has at most field_bytes_max bytes, as those of a recorded fact do. To be asked
// of entries that someone may have edited.
bool is_hashable(const EntryView& entry) noexcept;

// The bytes that are hashed, as docs/adr/0010 and docs/guides/audit.md specify them.
class CanonicalBytes {
public:
    // Of an entry that is_hashable().
    explicit CanonicalBytes(const EntryView& entry);
    ByteView view() const noexcept { return ByteView{bytes_}.first(size_); }

private:
    void put(std::uint64_t value, std::size_t width);
    void put(ByteView bytes);
    void put_text(std::string_view text);

    static constexpr std::size_t texts = 7;
    static constexpr std::size_t bytes_max =
        4 + 8 + 8 + digest_size + texts * (2 + field_bytes_max);
    std::array<std::uint8_t, bytes_max> bytes_; // only the first size_ are set
    std::size_t size_ = 0;
};

Digest genesis_of(std::string_view hive);                         // stands before entry 1
Digest chain_hash(const Digest& previous, const CanonicalBytes&); // SHA-256(previous || bytes)

} // namespace hive::audit
