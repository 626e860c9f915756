#pragma once

#include "accounts/repositories.hpp"
#include "kernel/id.hpp"
#include "store/session.hpp"

namespace hive::store {

class KeyTable final : public accounts::KeyRepository {
public:
    KeyTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    Status insert(const accounts::ApiKey& key) override;
    Result<std::optional<accounts::ApiKey>> find(std::string_view id) const override;
    Result<std::optional<accounts::ApiKey>> find_by_hash(const Digest& hash) const override;
    Result<std::vector<accounts::ApiKey>> list(const accounts::KeyQuery& query) const override;
    Status update(const accounts::ApiKey& key) override;
    Status used(std::string_view id, Timestamp when) override;

private:
    Session* session_;
    HiveId hive_;
};

class SessionTable final : public accounts::SessionRepository {
public:
    SessionTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    Status insert(const accounts::Session& session) override;
    Result<std::optional<accounts::Session>> find(const Digest& token_hash) const override;
    Result<std::vector<accounts::Session>> list(const accounts::SessionQuery& query) const override;
    Status seen(const Digest& token_hash, Timestamp when) override;
    Status remove(const Digest& token_hash) override;
    Result<std::int64_t> remove_all_of(std::string_view person) override;
    Result<std::int64_t> purge(const accounts::SessionPolicy& policy, Timestamp now) override;

private:
    Session* session_;
    HiveId hive_;
};

} // namespace hive::store
