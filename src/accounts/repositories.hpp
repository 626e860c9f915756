#pragma once

#include "accounts/api_key.hpp"
#include "accounts/session.hpp"
#include "kernel/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::accounts {

struct KeyQuery {
    std::optional<std::string> owner{};
    std::string after{};     // cursor: the id of the last key of the page before
    std::size_t limit = 100; // at most 1000
};

// Port: the keys of one hive. Like every repository, an instance lives inside one transaction.
class KeyRepository {
public:
    virtual ~KeyRepository() = default;

    virtual Status insert(const ApiKey& key) = 0; // Errc::conflict when the id or hash is there
    virtual Result<std::optional<ApiKey>> find(std::string_view id) const = 0;
    virtual Result<std::optional<ApiKey>> find_by_hash(const Digest& hash) const = 0;
    virtual Result<std::vector<ApiKey>> list(const KeyQuery& query) const = 0; // ordered by id
    // Keeps what may change: expiry, revocation, successor. Errc::not_found.
    virtual Status update(const ApiKey& key) = 0;
    virtual Status used(std::string_view id, Timestamp when) = 0; // never moves backwards
};

struct SessionQuery {
    // Cursor: when the last session of the page before began, and its hash, for those that began
    // at the same moment.
    Timestamp before = Timestamp::max();
    Digest after{};
    std::size_t limit = 100; // at most 1000
};

// Port: signed-in people of one hive.
class SessionRepository {
public:
    virtual ~SessionRepository() = default;

    virtual Status insert(const Session& session) = 0;
    virtual Result<std::optional<Session>> find(const Digest& token_hash) const = 0;
    // The newest first.
    virtual Result<std::vector<Session>> list(const SessionQuery& query) const = 0;
    virtual Status seen(const Digest& token_hash, Timestamp when) = 0; // never moves backwards
    virtual Status remove(const Digest& token_hash) = 0;               // none there: fine
    virtual Result<std::int64_t> remove_all_of(std::string_view person) = 0;
    virtual Result<std::int64_t> purge(const SessionPolicy& policy, Timestamp now) = 0;
};

} // namespace hive::accounts
