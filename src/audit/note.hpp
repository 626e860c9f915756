#pragma once

#include "kernel/result.hpp"
#include "kernel/signature.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace hive::audit {

// Signed notes as C2SP specifies them: a text, an empty line, and lines `— name base64(id,
// signature)`. Anything that speaks the format can check our checkpoints and add signatures of its
// own.

inline constexpr std::size_t note_bytes_max = 8192;
inline constexpr std::size_t note_signatures_max = 16;

// A public key with the name it signs under.
class TrustedKey {
public:
    // A name has 1 to 255 printable ASCII characters without blanks and '+'.
    static Result<TrustedKey> make(std::string_view name, VerifyingKey key);
    // `name+id+key`: eight hex digits of id, base64 of the algorithm byte and the key.
    static Result<TrustedKey> parse(std::string_view text);
    std::string text() const;

    const std::string& name() const noexcept { return name_; }
    const VerifyingKey& key() const noexcept { return key_; }
    bool operator==(const TrustedKey&) const = default;

private:
    TrustedKey(std::string_view name, VerifyingKey key) : name_{name}, key_{key} {}
    std::string name_;
    VerifyingKey key_;
};

// The text must end with a line end and hold no other control characters.
Result<std::string> sign_note(std::string_view text, std::string_view name, const SigningKey& key);

struct OpenedNote {
    std::string_view text;   // with its last line end; part of the note
    std::string_view signer; // name of the key that vouches for it
};
// Fails unless a trusted key signed the note and no signature under a trusted key is wrong.
// Signatures of unknown keys are passed over: witnesses may have added theirs.
Result<OpenedNote> open_note(std::string_view note, std::span<const TrustedKey> keys);

} // namespace hive::audit
