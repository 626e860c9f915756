#include "audit/checkpoint.hpp"

#include "kernel/encoding.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace hive::audit {
namespace {

bool read_size(std::string_view text, std::uint64_t& size) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, size);
    return error == std::errc{} && stop == end;
}

bool read_digest(std::string_view text, Digest& digest) {
    const auto bytes = from_base64(text);
    if (!bytes || bytes->size() != digest.size()) return false;
    std::ranges::copy(*bytes, digest.begin());
    return true;
}

// Cuts a known word off the front.
bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

} // namespace

std::string to_text(const Checkpoint& checkpoint) {
    return fmt::format(
        "{}\n{}\n{}\nchain {}\ntime {}\n", checkpoint.origin, checkpoint.size,
        to_base64(checkpoint.root), to_base64(checkpoint.chain), format_timestamp(checkpoint.time));
}

Result<Checkpoint> parse_checkpoint(std::string_view text) {
    const auto refuse = [] {
        return fail(
            Errc::invalid,
            "not a checkpoint: five lines are needed, origin, size, root, chain and time");
    };
    std::array<std::string_view, 5> lines;
    std::string_view rest = text;
    for (auto& line : lines) {
        const std::size_t end = rest.find('\n');
        if (end == rest.npos) return refuse();
        line = rest.substr(0, end);
        rest.remove_prefix(end + 1);
    }
    Checkpoint checkpoint{.origin = std::string{lines[0]}};
    if (!rest.empty() || lines[0].empty() || !read_size(lines[1], checkpoint.size) ||
        !read_digest(lines[2], checkpoint.root) || !take(lines[3], "chain ") ||
        !read_digest(lines[3], checkpoint.chain) || !take(lines[4], "time ")) {
        return refuse();
    }
    const auto time = parse_timestamp(lines[4]);
    if (!time) return fail(time.error());
    checkpoint.time = *time;
    // Leading zeros and other spellings of a time would be a second text for the same promise.
    if (to_text(checkpoint) != text) return refuse();
    return checkpoint;
}

Result<SignedCheckpoint> sign(Checkpoint checkpoint, const SigningKey& key) {
    auto note = sign_note(to_text(checkpoint), checkpoint.origin, key);
    if (!note) return fail(note.error());
    return SignedCheckpoint{std::move(checkpoint), std::move(*note)};
}

Result<SignedCheckpoint> open_checkpoint(std::string_view note, std::span<const TrustedKey> keys) {
    const auto opened = open_note(note, keys);
    if (!opened) return fail(opened.error());
    auto checkpoint = parse_checkpoint(opened->text);
    if (!checkpoint) return fail(checkpoint.error());
    if (checkpoint->origin != opened->signer) {
        return fail(
            Errc::denied,
            fmt::format(
                "the checkpoint of '{}' is signed by '{}'", checkpoint->origin, opened->signer));
    }
    return SignedCheckpoint{std::move(*checkpoint), std::string{note}};
}

} // namespace hive::audit
