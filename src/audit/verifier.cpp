#include "audit/verifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace hive::audit {

std::string_view name_of(FaultKind kind) noexcept {
    switch (kind) {
    case FaultKind::malformed: return "malformed";
    case FaultKind::missing: return "missing";
    case FaultKind::foreign: return "foreign";
    case FaultKind::altered: return "altered";
    case FaultKind::details: return "details";
    case FaultKind::signature: return "signature";
    case FaultKind::rewritten: return "rewritten";
    case FaultKind::truncated: return "truncated";
    case FaultKind::uncovered: return "uncovered";
    }
    std::abort();
}

Verifier::Verifier(HiveId hive, std::vector<TrustedKey> keys)
    : keys_{std::move(keys)}, head_{empty_log(std::move(hive))} {}

bool Verifier::fail_at(std::uint64_t sequence, FaultKind kind, std::string reason) {
    if (!fault_) fault_ = Fault{kind, sequence, std::move(reason)};
    return false;
}

bool Verifier::refuse(FaultKind kind, std::string reason) {
    return fail_at(size() + 1, kind, std::move(reason));
}

bool Verifier::expect(std::string_view note) {
    if (fault_) return false;
    auto opened = open_checkpoint(note, keys_);
    if (!opened) {
        const auto kind =
            opened.error().code == Errc::denied ? FaultKind::signature : FaultKind::malformed;
        return refuse(
            kind, fmt::format(
                      "the checkpoint found after entry {} cannot be trusted: {}", size(),
                      opened.error().detail));
    }
    Checkpoint& checkpoint = opened->checkpoint;
    if (origin_.empty()) origin_ = checkpoint.origin;
    if (checkpoint.origin != origin_) {
        return refuse(
            FaultKind::foreign,
            fmt::format("a checkpoint of '{}' among those of '{}'", checkpoint.origin, origin_));
    }
    if (checkpoint.size < size()) {
        return refuse(
            FaultKind::missing,
            fmt::format("the checkpoint of {} entries stands after {}", checkpoint.size, size()));
    }
    promised_ = std::max(promised_, checkpoint.size);
    open_.emplace(checkpoint.size, std::move(checkpoint));
    return settle();
}

bool Verifier::expect_here(std::string_view note) {
    const std::uint64_t met = checkpoints_;
    if (!expect(note)) return false;
    if (checkpoints_ == met + 1) return true;
    return refuse(
        FaultKind::missing,
        fmt::format("a checkpoint of more than {} entries stands after entry {}", size(), size()));
}

bool Verifier::add(const EntryView& entry) {
    if (fault_) return false;
    const std::uint64_t expected = size() + 1;
    if (entry.sequence != expected) {
        return fail_at(
            expected, FaultKind::missing,
            fmt::format("entry {} stands where entry {} belongs", entry.sequence, expected));
    }
    if (entry.hive != head_.hive.text()) {
        return fail_at(
            expected, FaultKind::foreign,
            fmt::format("entry {} is not of hive '{}'", expected, head_.hive.text()));
    }
    if (!is_hashable(entry)) {
        return fail_at(
            expected, FaultKind::malformed,
            fmt::format("entry {} holds a text that is too long", expected));
    }
    const CanonicalBytes bytes{entry};
    if (chain_hash(head_.chain, bytes) != entry.hash) {
        return fail_at(
            expected, FaultKind::altered,
            fmt::format("entry {} does not match its hash: it was changed", expected));
    }
    const auto& disclosure = entry.disclosure;
    if (disclosure && commit_to(disclosure->salt, disclosure->details) != entry.commitment) {
        return fail_at(
            expected, FaultKind::details,
            fmt::format("the details of entry {} are not those it was made with", expected));
    }
    if (!disclosure) ++erased_;
    head_.chain = entry.hash;
    head_.tree.append(leaf_hash(bytes.view()));
    return settle();
}

bool Verifier::settle() {
    while (!open_.empty() && open_.begin()->first == size()) {
        const Checkpoint& promise = open_.begin()->second;
        if (promise.root != head_.tree.root() || promise.chain != head_.chain) {
            return fail_at(
                covered_ + 1, FaultKind::rewritten,
                fmt::format(
                    "entries {} to {} fit together but not the signed checkpoint of {} entries: "
                    "at least one of them was replaced",
                    covered_ + 1, size(), promise.size));
        }
        covered_ = promise.size;
        ++checkpoints_;
        open_.erase(open_.begin());
    }
    return true;
}

Report Verifier::finish() {
    if (!fault_ && !open_.empty()) {
        refuse(
            FaultKind::truncated,
            fmt::format(
                "the log ends after entry {}, but a signed checkpoint promises {} entries", size(),
                open_.begin()->first));
    }
    return Report{
        .entries = fault_ ? fault_->sequence - 1 : size(),
        .erased = erased_,
        .checkpoints = checkpoints_,
        .covered = covered_,
        .chain = head_.chain,
        .root = head_.tree.root(),
        .fault = fault_,
    };
}

} // namespace hive::audit
