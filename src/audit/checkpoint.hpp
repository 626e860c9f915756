#pragma once

#include "audit/note.hpp"
#include "kernel/clock.hpp"
#include "kernel/digest.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hive::audit {

// A promise about the first `size` entries: nobody who holds it can be shown others.
struct Checkpoint {
    std::string origin; // names the log; also the name of the key that signs
    std::uint64_t size = 0;
    Digest root{};  // of the Merkle tree
    Digest chain{}; // hash of the last entry, or the genesis value
    Timestamp time{};

    bool operator==(const Checkpoint&) const = default;
};

// The body of the note: origin, size, base64 root, `chain <base64>`, `time <RFC 3339>`, a line
// each.
std::string to_text(const Checkpoint& checkpoint);
Result<Checkpoint> parse_checkpoint(std::string_view text); // exactly what to_text writes

struct SignedCheckpoint {
    Checkpoint checkpoint;
    std::string note; // what was signed, with the signatures

    bool operator==(const SignedCheckpoint&) const = default;
};

Result<SignedCheckpoint> sign(Checkpoint checkpoint, const SigningKey& key);
// Fails unless a trusted key with the name of the origin signed it.
Result<SignedCheckpoint> open_checkpoint(std::string_view note, std::span<const TrustedKey> keys);

} // namespace hive::audit
