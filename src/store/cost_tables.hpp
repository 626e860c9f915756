#pragma once

#include "colony/costs/repository.hpp"
#include "kernel/id.hpp"
#include "store/session.hpp"

namespace hive::store {

class UsageTable final : public colony::costs::UsageRepository {
public:
    UsageTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    using Usage = colony::costs::Usage;

    Status insert(const Usage& usage) override;
    Result<std::optional<Usage>> with_key(std::string_view key) const override;
    Result<std::vector<Usage>> list(const colony::costs::UsageQuery& query) const override;
    Result<std::vector<colony::costs::Sum>>
    summary(const colony::costs::SummaryQuery& query) const override;

private:
    Status add_other_money(
        const colony::costs::SummaryQuery& query, std::vector<colony::costs::Sum>& sums) const;

    Session* session_;
    HiveId hive_;
};

class PriceTable final : public colony::costs::PriceRepository {
public:
    PriceTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    Status put(const colony::costs::Price& price) override;
    Result<bool> remove(std::string_view id) override;
    Result<colony::costs::Prices> all() const override;

private:
    Session* session_;
    HiveId hive_;
};

class BudgetTable final : public colony::costs::BudgetRepository {
public:
    BudgetTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    using Spending = colony::costs::Spending;

    Status put(const colony::costs::Budget& budget) override;
    Result<bool> remove(std::string_view id) override;
    Result<colony::costs::Budgets> all() const override;
    Result<Spending> spending(
        std::string_view budget, std::string_view subject, std::string_view period) const override;
    Status keep(const Spending& spending) override;
    Result<std::vector<Spending>>
    spendings(std::string_view budget, std::size_t limit) const override;

private:
    Session* session_;
    HiveId hive_;
};

} // namespace hive::store
