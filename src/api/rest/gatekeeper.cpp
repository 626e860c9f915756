#include "api/rest/gatekeeper.hpp"

#include "api/http/await_callback.hpp"
#include "kernel/entropy.hpp"
#include "store/accounts_tables.hpp"

#include <fmt/format.h>

#include <memory>

namespace hive::rest {
namespace {

constexpr Duration patience = std::chrono::seconds{10};

accounts::TokenEntropy fresh_entropy() {
    accounts::TokenEntropy entropy{};
    fill_from_entropy(entropy);
    return entropy;
}

api::Problem bad_proof(std::string_view code, std::string detail) {
    api::Problem problem{.status = 401, .code = std::string{code}, .detail = std::move(detail)};
    problem.headers.add("WWW-Authenticate", "Bearer error=\"invalid_token\"");
    return problem;
}

api::Authentication refused(std::string_view code, std::string detail) {
    return tl::unexpected{bad_proof(code, std::move(detail))};
}

bool changes_something(http::Method method) noexcept {
    return method != http::Method::get && method != http::Method::head &&
           method != http::Method::options;
}

// Only where a browser cannot set a header; elsewhere a key in the address would end up in logs.
bool takes_ticket(std::string_view path) noexcept {
    return path == "/ws" || path == "/api/v1/events" || path == "/api/events";
}

// The word in a decision link is all it takes: whoever happens to be signed in in that browser does
// not matter, and a form without script cannot send the header that a session would need.
bool proves_itself(std::string_view path) noexcept {
    return path == "/approve";
}

// A proof of this kind that is no good; the reason is still to be found out.
Refused refusal_of(const http::Request& request, std::string_view proof) {
    const auto id = request.header("X-Request-Id").value_or("");
    const bool harmless = id.size() <= 64 && id.find_first_of(" \t\"\\") == id.npos;
    return {
        .action = "auth.failed",
        .actor = std::string{proof},
        .reason = {},
        .entity_type = "login",
        .peer = request.peer ? request.peer->address : std::string{},
        .request_id = harmless ? std::string{id} : std::string{}};
}

std::string cookie(std::string_view value, std::string_view age, bool secure) {
    return fmt::format(
        "{}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age={}{}", api::session_cookie, value, age,
        secure ? "; Secure" : "");
}

// What the store knows about a key or cookie. Errc::not_found and Errc::denied are answers about
// it, anything else is the store's own trouble.
struct Proof {
    api::Principal who;
    std::optional<Timestamp> ends{};
};

bool is_outage(const Error& error) noexcept {
    return error.code != Errc::not_found && error.code != Errc::denied;
}

Result<Proof> session_proof(
    const Result<std::optional<accounts::Session>>& row, const accounts::SessionPolicy& policy,
    Timestamp now) {
    if (!row) return fail(row.error());
    if (!*row) return fail(Errc::not_found, "no such session");
    auto who = accounts::principal_of(**row, policy, now);
    if (!who) return fail(who.error());
    return Proof{std::move(*who)};
}

Result<Proof> key_proof(const Result<std::optional<accounts::ApiKey>>& row, Timestamp now) {
    if (!row) return fail(row.error());
    if (!*row) return fail(Errc::not_found, "no such key");
    auto who = accounts::principal_of(**row, now);
    if (!who) return fail(who.error());
    return Proof{std::move(*who), (*row)->expires};
}

} // namespace

Gatekeeper::Gatekeeper(GateParts parts, GatePolicy policy, Secret server_key)
    : transactions_{&parts.transactions}, refusals_{&parts.refusals}, policy_{policy},
      server_key_{std::move(server_key)}, log_{std::move(parts.log)}, tickets_{policy.ticket_valid},
      login_links_{policy.login_link_valid} {}

http::Eventually<api::Authentication>
Gatekeeper::authenticate(const api::Credentials& credentials, const http::Request& request) {
    if (!credentials.bearer.empty()) return by_key(credentials.bearer, request);
    if (!credentials.ticket.empty() && takes_ticket(request.path)) {
        if (accounts::check_key_text(credentials.ticket))
            return by_key(credentials.ticket, request);
        return by_ticket(credentials.ticket, request);
    }
    if (!credentials.cookie.empty() && !proves_itself(request.path)) {
        return by_session(credentials.cookie, request);
    }
    return api::Authentication{api::Identity{}};
}

std::optional<api::Authentication> Gatekeeper::recall(const Digest& hash) {
    const TimePoint now = transactions_->clock().now();
    const Timestamp wall = transactions_->clock().wall();
    const std::lock_guard lock{mutex_};
    const auto at = believed_.find(hash);
    if (at == believed_.end() || at->second.until <= now) return std::nullopt;
    if (at->second.ends && *at->second.ends <= wall) return std::nullopt; // ask for the reason
    note_use(hash, at->second, wall);
    return api::Authentication{at->second.who};
}

void Gatekeeper::note_use(const Digest& hash, Believed& known, Timestamp now) {
    if (now - known.noted < std::chrono::seconds{1}) return;
    known.noted = now;
    if (known.session) {
        sessions_seen_[hash] = now;
    } else {
        keys_used_[known.who->proof_id] = now;
    }
}

std::uint64_t Gatekeeper::generation() const {
    const std::lock_guard lock{mutex_};
    return generation_;
}

void Gatekeeper::believe(const Digest& hash, Believed known, std::uint64_t generation) {
    const std::lock_guard lock{mutex_};
    if (known.session) {
        session_hashes_[known.who->proof_id] = {hash, transactions_->clock().now()};
    }
    if (generation != generation_) return;
    // Rare, and cheaper than keeping an order: who is turned out is looked up again.
    if (believed_.size() >= policy_.believed_max) believed_.clear();
    const auto at = believed_.insert_or_assign(hash, std::move(known)).first;
    note_use(hash, at->second, transactions_->clock().wall());
}

asio::awaitable<api::Authentication>
Gatekeeper::look_up(Digest hash, bool session, Refused refusal) {
    auto proof = std::make_shared<Result<Proof>>(fail(Errc::not_found, ""));
    const Timestamp wall = transactions_->clock().wall();
    const std::uint64_t before = generation();
    const auto work = [proof, hash, session, wall, policy = policy_.sessions,
                       hive = transactions_->chronicle().hive()](store::Session& unit) -> Status {
        auto found = session
                         ? session_proof(store::SessionTable{unit, hive}.find(hash), policy, wall)
                         : key_proof(store::KeyTable{unit, hive}.find_by_hash(hash), wall);
        if (!found && is_outage(found.error())) return fail(found.error());
        *proof = std::move(found);
        return {};
    };
    const auto status = co_await http::await_callback<Status>(
        [&](const std::function<void(Status)>& done) {
            auto taken = transactions_->chronicle().database().read({.work = work}, done);
            if (!taken) done(taken);
        },
        patience);
    if (!status || !*status) {
        log_.warn(
            "cannot look up who is asking",
            {{"reason", status ? status->error().detail : "no answer in time"}});
        co_return tl::unexpected{api::Problem{
            .status = 503,
            .code = "store-unavailable",
            .detail = "the store does not answer, so nobody can be recognised; ask again soon",
            .retryable = true}};
    }
    if (!*proof) {
        // A browser keeps its cookie for long: an ended session is nobody, not an attack, and must
        // be able to sign in again. One that we never gave away is written down, though.
        const bool ended = session && proof->error().code == Errc::denied;
        refusal.reason = proof->error().detail;
        if (!ended) refusals_->note(std::move(refusal));
        if (session) co_return api::Identity{};
        co_return refused("bad-key", proof->error().detail);
    }
    api::Identity who = std::make_shared<const api::Principal>(std::move((*proof)->who));
    believe(
        hash,
        {.who = who,
         .until = transactions_->clock().now() + policy_.believed,
         .ends = (*proof)->ends,
         .session = session},
        before);
    co_return who;
}

http::Eventually<api::Authentication>
Gatekeeper::by_key(std::string_view text, const http::Request& request) {
    const Digest hash = accounts::hash_key(text);
    if (auto known = recall(hash)) return std::move(*known);
    if (auto kind = accounts::check_key_text(text); !kind) {
        Refused refusal = refusal_of(request, "key");
        refusal.reason = kind.error().detail;
        refusals_->note(std::move(refusal));
        return refused("bad-key", kind.error().detail);
    }
    return look_up(hash, false, refusal_of(request, "key"));
}

http::Eventually<api::Authentication>
Gatekeeper::by_session(std::string_view token, const http::Request& request) {
    const Digest hash = accounts::hash_token(token);
    // Another site can make the browser send the cookie, but not this header.
    if (changes_something(request.method)) {
        const auto word = request.header("X-CSRF-Token").value_or("");
        if (!accounts::is_csrf_word(word, hash, server_key_)) {
            Refused refusal = refusal_of(request, "session");
            refusal.reason = "a change without its X-CSRF-Token";
            refusals_->note(std::move(refusal));
            return api::Authentication{tl::unexpected{api::Problem{
                .status = 403,
                .code = "csrf",
                .detail = "send the csrfToken of GET /api/v1/me as X-CSRF-Token with every "
                          "change"}}};
        }
    }
    if (auto known = recall(hash)) return std::move(*known);
    return look_up(hash, true, refusal_of(request, "session"));
}

api::Authentication Gatekeeper::by_ticket(std::string_view text, const http::Request& request) {
    auto who = [&] {
        const std::lock_guard lock{mutex_};
        return tickets_.redeem(text, transactions_->clock().now());
    }();
    if (who) return std::make_shared<const api::Principal>(std::move(*who));
    Refused refusal = refusal_of(request, "ticket");
    refusal.reason = who.error().detail;
    refusals_->note(std::move(refusal));
    return refused("bad-ticket", who.error().detail);
}

Secret Gatekeeper::issue_ticket(const api::Principal& who) {
    const auto entropy = fresh_entropy();
    const std::lock_guard lock{mutex_};
    return tickets_.issue(who, entropy, transactions_->clock().now());
}

Secret Gatekeeper::issue_login_link(api::Principal who) {
    const auto entropy = fresh_entropy();
    const std::lock_guard lock{mutex_};
    return login_links_.issue(std::move(who), entropy, transactions_->clock().now());
}

Result<api::Principal> Gatekeeper::redeem_login_link(std::string_view word) {
    const std::lock_guard lock{mutex_};
    return login_links_.redeem(word, transactions_->clock().now());
}

Duration Gatekeeper::pause_left(const http::Peer& peer) const {
    const std::lock_guard lock{mutex_};
    return throttle_.pause_left(peer.address, transactions_->clock().now());
}

void Gatekeeper::login_failed(const http::Peer& peer, const Cause& cause, std::string_view reason) {
    {
        const std::lock_guard lock{mutex_};
        throttle_.failed(peer.address, transactions_->clock().now());
    }
    refusals_->note(
        {.action = "auth.failed",
         .actor = cause.actor == "nobody" ? "login" : cause.actor,
         .reason = std::string{reason},
         .entity_type = "login",
         .peer = peer.address,
         .request_id = cause.request_id});
}

void Gatekeeper::login_succeeded(const http::Peer& peer) {
    const std::lock_guard lock{mutex_};
    throttle_.succeeded(peer.address);
}

Gatekeeper::NewSession Gatekeeper::begin_session(std::string person, accounts::Role role) const {
    accounts::Token token = accounts::make_token(fresh_entropy());
    const Timestamp now = transactions_->clock().wall();
    return {
        .session =
            {.token_hash = token.hash,
             .person = std::move(person),
             .role = role,
             .created = now,
             .last_seen = now},
        .token = std::move(token.text)};
}

std::string Gatekeeper::cookie_line(const Secret& token, bool secure) {
    constexpr std::string_view week = "604800"; // the server decides; this only lets it survive
    return cookie(token.reveal(), week, secure);
}

std::string Gatekeeper::ended_cookie_line(bool secure) {
    return cookie("", "0", secure);
}

std::string Gatekeeper::csrf_word_for(const http::Request& request) const {
    const auto credentials = api::credentials_of(request);
    if (credentials.cookie.empty() || !credentials.bearer.empty()) return {};
    return accounts::csrf_word(accounts::hash_token(credentials.cookie), server_key_);
}

void Gatekeeper::forget_key(std::string_view id) {
    const std::lock_guard lock{mutex_};
    ++generation_;
    std::erase_if(believed_, [&](const auto& entry) {
        return !entry.second.session && entry.second.who->proof_id == id;
    });
}

void Gatekeeper::end_key(const std::string& id) {
    forget_key(id);
    transactions_->hub().dismiss(id);
}

void Gatekeeper::end_session(const Digest& token_hash) {
    {
        const std::lock_guard lock{mutex_};
        ++generation_;
        believed_.erase(token_hash);
        sessions_seen_.erase(token_hash);
    }
    transactions_->hub().dismiss(accounts::proof_id_of(token_hash));
}

void Gatekeeper::save_last_used() {
    std::map<std::string, Timestamp, std::less<>> keys;
    std::map<Digest, Timestamp> sessions;
    {
        const std::lock_guard lock{mutex_};
        keys.swap(keys_used_);
        sessions.swap(sessions_seen_);
    }
    if (keys.empty() && sessions.empty()) return;
    const HiveId hive = transactions_->chronicle().hive();
    auto taken = transactions_->chronicle().database().write(
        {.work = [hive, keys = std::move(keys),
                  sessions = std::move(sessions)](store::Session& session) -> Status {
            store::KeyTable key_table{session, hive};
            for (const auto& [id, when] : keys) {
                if (auto ok = key_table.used(id, when); !ok) return ok;
            }
            store::SessionTable session_table{session, hive};
            for (const auto& [hash, when] : sessions) {
                if (auto ok = session_table.seen(hash, when); !ok) return ok;
            }
            return {};
        }},
        [log = log_](const Status& ended) {
            if (!ended) log.warn("cannot note last use", {{"reason", ended.error().detail}});
        });
    if (!taken) log_.warn("cannot note last use", {{"reason", taken.error().detail}});
}

} // namespace hive::rest
