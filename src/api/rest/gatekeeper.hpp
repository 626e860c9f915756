#pragma once

#include "accounts/login_throttle.hpp"
#include "accounts/repositories.hpp"
#include "accounts/session.hpp"
#include "api/authenticator.hpp"
#include "api/rest/refusals.hpp"
#include "api/rest/transactions.hpp"
#include "kernel/clock.hpp"
#include "kernel/log.hpp"
#include "kernel/secret.hpp"

#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hive::rest {

struct GatePolicy {
    accounts::SessionPolicy sessions{};
    Duration ticket_valid = std::chrono::seconds{30};
    Duration login_link_valid = std::chrono::minutes{15};
    // How long a proof that was looked up is believed. Revoking on this server forgets it at once;
    // another server of the same hive, or a command beside it, is noticed after this long.
    Duration believed = std::chrono::seconds{1};
    std::size_t believed_max = 16'384;
};

struct GateParts {
    Transactions& transactions;
    Refusals& refusals;
    Logger log;
};

// Knows who is asking: by key, session cookie or ticket. Used from every thread.
class Gatekeeper final : public api::Authenticator {
public:
    Gatekeeper(GateParts parts, GatePolicy policy, Secret server_key);

    http::Eventually<api::Authentication>
    authenticate(const api::Credentials& credentials, const http::Request& request) override;

    // Single use: for WebSockets of browsers, which can set no header, and for signing in.
    Secret issue_ticket(const api::Principal& who);
    Secret issue_login_link(api::Principal who);
    Result<api::Principal> redeem_login_link(std::string_view word);

    // Growing pauses for peers that guess; zero: go ahead.
    Duration pause_left(const http::Peer& peer) const;
    void login_failed(const http::Peer& peer, const Cause& cause, std::string_view reason);
    void login_succeeded(const http::Peer& peer);

    // A fresh session and the Set-Cookie line that hands it to the browser.
    struct NewSession {
        accounts::Session session;
        Secret token;
    };
    NewSession begin_session(std::string person, accounts::Role role) const;
    // `secure`: the browser speaks TLS, to us or to a proxy before us.
    static std::string cookie_line(const Secret& token, bool secure);
    static std::string ended_cookie_line(bool secure);
    // What a script must send with every change; empty when the caller has no session.
    std::string csrf_word_for(const http::Request& request) const;

    // What is believed about a key is looked up again.
    void forget_key(std::string_view id);
    // The same, and who listens with it hears no more.
    void end_key(const std::string& id);
    void end_session(const Digest& token_hash);

    // Ends the streams of keys and sessions that were revoked elsewhere, expired or fell idle.
    // Once a second; a thousand proofs at a time.
    void dismiss_ended();

    // Writes down when keys and sessions were last used; now and then, and at the end.
    void save_last_used();

private:
    struct Believed {
        api::Identity who;
        TimePoint until{};
        std::optional<Timestamp> ends{}; // of the key itself
        bool session = false;
        Timestamp noted{}; // when its use was last noted: once a second will do
    };
    struct SessionHash {
        Digest hash{};
        TimePoint noted{};
    };
    struct FirstBytes { // digests are random already
        std::size_t operator()(const Digest& digest) const noexcept {
            std::size_t first = 0;
            std::memcpy(&first, digest.data(), sizeof first);
            return first;
        }
    };

    std::optional<api::Authentication> recall(const Digest& hash);
    asio::awaitable<api::Authentication> look_up(Digest hash, bool session, Refused refusal);
    http::Eventually<api::Authentication>
    by_key(std::string_view text, const http::Request& request);
    http::Eventually<api::Authentication>
    by_session(std::string_view token, const http::Request& request);
    api::Authentication by_ticket(std::string_view text, const http::Request& request);
    std::uint64_t generation() const;
    // Not when something was forgotten since `generation`: what was read may be from before.
    void believe(const Digest& hash, Believed known, std::uint64_t generation);
    std::map<std::string, std::optional<Digest>> next_proofs();
    void note_use(const Digest& hash, Believed& known, Timestamp now); // under mutex_

    Transactions* transactions_;
    Refusals* refusals_;
    GatePolicy policy_;
    Secret server_key_;
    Logger log_;

    mutable std::mutex mutex_;
    std::unordered_map<Digest, Believed, FirstBytes> believed_;
    std::map<std::string, Timestamp, std::less<>> keys_used_;
    std::map<Digest, Timestamp> sessions_seen_;
    std::map<std::string, SessionHash, std::less<>> session_hashes_; // by proof id, while in use
    std::uint64_t generation_ = 0; // of what is believed: one more with everything forgotten
    std::string checked_up_to_;    // the last proof of the round before
    accounts::Tickets tickets_;
    accounts::Tickets login_links_;
    accounts::LoginThrottle throttle_;
};

} // namespace hive::rest
