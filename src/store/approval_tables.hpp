#pragma once

#include "colony/approvals/repository.hpp"
#include "kernel/id.hpp"
#include "store/session.hpp"

namespace hive::store {

class ApprovalTable final : public colony::approvals::ApprovalRepository {
public:
    ApprovalTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    using Approval = colony::approvals::Approval;

    Status insert(const Approval& approval) override;
    Result<bool> update(const Approval& approval) override;
    Result<std::optional<Approval>> find(std::string_view id) const override;
    Result<std::optional<Approval>> open_with_key(std::string_view key) const override;
    Result<std::vector<Approval>>
    list(const colony::approvals::ApprovalQuery& query) const override;
    Result<std::vector<Approval>> due(Timestamp now, std::size_t limit) const override;
    Result<std::vector<Approval>> pending(std::size_t limit) const override;

private:
    Result<std::vector<Approval>> select(std::string_view rest, Params params) const;

    Session* session_;
    HiveId hive_;
};

class ApprovalRuleTable final : public colony::approvals::RuleRepository {
public:
    ApprovalRuleTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    Status put(const colony::approvals::Rule& rule) override;
    Result<bool> remove(std::string_view id) override;
    Result<colony::approvals::Rules> all() const override; // in their order

private:
    Session* session_;
    HiveId hive_;
};

class ApprovalLinkTable final : public colony::approvals::LinkRepository {
public:
    ApprovalLinkTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    Status insert(const colony::approvals::Link& link) override;
    Result<std::optional<colony::approvals::Link>> find(const Digest& word) const override;
    Result<bool> use(const Digest& word, Timestamp now) override;
    Status forget(Timestamp expired_before) override;

private:
    Session* session_;
    HiveId hive_;
};

} // namespace hive::store
