#include "audit/note.hpp"

#include "kernel/digest.hpp"
#include "kernel/encoding.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <optional>

namespace hive::audit {
namespace {

constexpr std::uint8_t ed25519 = 0x01;
constexpr std::size_t name_max = 255;
constexpr std::string_view dash = "\u2014 "; // em dash and a blank

using KeyId = std::array<std::uint8_t, 4>;

KeyId id_of(std::string_view name, const VerifyingKey& key) {
    static constexpr std::array<std::uint8_t, 2> separator{'\n', ed25519};
    const Digest digest = sha256({bytes_of(name), separator, key.raw()});
    return {digest[0], digest[1], digest[2], digest[3]};
}

bool is_name(std::string_view name) {
    return !name.empty() && name.size() <= name_max &&
           std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~' && c != '+'; });
}

Status check_text(std::string_view text) {
    const auto is_control = [](char c) { return c >= 0 && c < ' ' && c != '\n'; };
    if (text.size() > note_bytes_max || !text.ends_with('\n') ||
        std::ranges::any_of(text, is_control) || !simdjson::validate_utf8(text)) {
        return fail(
            Errc::invalid,
            fmt::format(
                "a note is UTF-8 text of at most {} bytes that ends with a line end and holds no "
                "other control characters",
                note_bytes_max));
    }
    return {};
}

struct SignatureLine {
    std::string_view name;
    Bytes blob; // key id, then signature
};

Result<SignatureLine> parse_line(std::string_view line) {
    const auto refuse = [] {
        return fail(Errc::invalid, "a signature line of the note is not `\u2014 name base64`");
    };
    if (!line.starts_with(dash)) return refuse();
    line.remove_prefix(dash.size());
    const std::size_t blank = line.find(' ');
    if (blank == line.npos || !is_name(line.substr(0, blank))) return refuse();
    auto blob = from_base64(line.substr(blank + 1));
    if (!blob || blob->size() <= std::tuple_size_v<KeyId>) return refuse();
    return SignatureLine{line.substr(0, blank), std::move(*blob)};
}

const TrustedKey* find_key(std::span<const TrustedKey> keys, const SignatureLine& line) {
    const auto at = std::ranges::find_if(keys, [&](const TrustedKey& key) {
        const KeyId id = id_of(key.name(), key.key());
        return key.name() == line.name &&
               std::ranges::equal(id, ByteView{line.blob}.first(id.size()));
    });
    return at == keys.end() ? nullptr : &*at;
}

} // namespace

Result<TrustedKey> TrustedKey::make(std::string_view name, VerifyingKey key) {
    if (!is_name(name)) {
        return fail(
            Errc::invalid, "the name of a signing key must be 1 to 255 printable ASCII characters "
                           "without blanks and '+'");
    }
    return TrustedKey{name, key};
}

Result<TrustedKey> TrustedKey::parse(std::string_view text) {
    const auto refuse = [] {
        return fail(Errc::invalid, "not a public key of the form name+id+base64");
    };
    const std::size_t first = text.find('+');
    if (first == text.npos || text.size() > note_bytes_max) return refuse();
    const std::size_t second = text.find('+', first + 1);
    if (second == text.npos) return refuse();
    KeyId id{};
    if (!read_hex(text.substr(first + 1, second - first - 1), id)) return refuse();
    const auto blob = from_base64(text.substr(second + 1));
    VerifyingKey::Raw raw{};
    if (!blob || blob->size() != raw.size() + 1 || blob->front() != ed25519) return refuse();
    std::copy(blob->begin() + 1, blob->end(), raw.begin());
    auto key = make(text.substr(0, first), VerifyingKey{raw});
    if (key && id_of(key->name(), key->key()) != id) {
        return fail(Errc::invalid, "the id in the public key does not belong to its name and key");
    }
    return key;
}

std::string TrustedKey::text() const {
    Bytes blob{ed25519};
    blob.insert(blob.end(), key_.raw().begin(), key_.raw().end());
    return fmt::format("{}+{}+{}", name_, to_hex(id_of(name_, key_)), to_base64(blob));
}

Result<std::string> sign_note(std::string_view text, std::string_view name, const SigningKey& key) {
    if (auto ok = check_text(text); !ok) return fail(ok.error());
    const auto signer = TrustedKey::make(name, key.verifying_key());
    if (!signer) return fail(signer.error());
    const KeyId id = id_of(name, signer->key());
    const Signature signature = key.sign(bytes_of(text));
    Bytes blob{id.begin(), id.end()};
    blob.insert(blob.end(), signature.begin(), signature.end());
    return fmt::format("{}\n{}{} {}\n", text, dash, name, to_base64(blob));
}

Result<OpenedNote> open_note(std::string_view note, std::span<const TrustedKey> keys) {
    if (auto ok = check_text(note); !ok) return fail(ok.error());
    const std::size_t gap = note.rfind("\n\n");
    if (gap == note.npos) return fail(Errc::invalid, "the note has no signatures");
    const std::string_view text = note.substr(0, gap + 1);
    std::string_view rest = note.substr(gap + 2);

    std::optional<OpenedNote> opened;
    for (std::size_t count = 1; !rest.empty(); ++count) {
        if (count > note_signatures_max) {
            return fail(
                Errc::limit, fmt::format("a note has at most {} signatures", note_signatures_max));
        }
        const std::size_t end = rest.find('\n');
        const auto line = parse_line(rest.substr(0, end));
        if (!line) return fail(line.error());
        rest.remove_prefix(end + 1);
        const TrustedKey* key = find_key(keys, *line);
        if (key == nullptr) continue;
        const ByteView signature = ByteView{line->blob}.subspan(std::tuple_size_v<KeyId>);
        if (!key->key().verify(bytes_of(text), signature)) {
            return fail(
                Errc::denied, fmt::format("the signature of '{}' does not match", key->name()));
        }
        if (!opened) opened = OpenedNote{text, line->name};
    }
    if (!opened) return fail(Errc::denied, "no trusted key signed the note");
    return *opened;
}

} // namespace hive::audit
