#include "accounts/session.hpp"

#include "kernel/encoding.hpp"

#include <fmt/format.h>

namespace hive::accounts {

Token make_token(const TokenEntropy& entropy) {
    Secret text{to_base64(entropy, Base64::url)};
    const Digest hash = hash_token(text.reveal());
    return {std::move(text), hash};
}

Digest hash_token(std::string_view text) {
    return sha256(bytes_of(text));
}

std::string proof_id_of(const Digest& token_hash) {
    return to_hex(ByteView{token_hash}.first(8));
}

Result<Principal> principal_of(const Session& session, const SessionPolicy& policy, Timestamp now) {
    if (now - session.created >= policy.longest || now - session.last_seen >= policy.idle) {
        return fail(Errc::denied, "the session has ended; sign in again");
    }
    return Principal{
        .id = session.person,
        .role = session.role,
        .scopes = Scopes::of(session.role),
        .proof = Proof::session,
        .proof_id = proof_id_of(session.token_hash)};
}

std::string csrf_word(const Digest& token_hash, const Secret& server_key) {
    return to_base64(hmac_sha256(bytes_of(server_key.reveal()), token_hash), Base64::url);
}

bool is_csrf_word(std::string_view word, const Digest& token_hash, const Secret& server_key) {
    return equal_in_constant_time(bytes_of(word), bytes_of(csrf_word(token_hash, server_key)));
}

Secret Tickets::issue(Principal principal, const TokenEntropy& entropy, TimePoint now) {
    drop_expired(now);
    if (by_age_.size() >= most_) {
        by_hash_.erase(by_age_.front().hash);
        by_age_.pop_front();
    }
    Token token = make_token(entropy);
    principal.proof = Proof::ticket;
    by_age_.push_back({token.hash, std::move(principal), now + valid_for_});
    by_hash_.emplace(token.hash, std::prev(by_age_.end()));
    return std::move(token.text);
}

Result<Principal> Tickets::redeem(std::string_view text, TimePoint now) {
    drop_expired(now);
    const auto found = by_hash_.find(hash_token(text));
    if (found == by_hash_.end()) {
        return fail(
            Errc::denied, "this link or ticket is unknown, used or too old; ask for a new one");
    }
    Principal principal = std::move(found->second->principal);
    by_age_.erase(found->second);
    by_hash_.erase(found);
    return principal;
}

void Tickets::drop_expired(TimePoint now) {
    while (!by_age_.empty() && by_age_.front().ends <= now) {
        by_hash_.erase(by_age_.front().hash);
        by_age_.pop_front();
    }
}

} // namespace hive::accounts
