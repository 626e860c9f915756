#pragma once

#include "colony/bees/bee.hpp"
#include "kernel/id.hpp"
#include "store/session.hpp"

namespace hive::store {

class BeeTable final : public colony::bees::BeeRepository {
public:
    BeeTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    using Bee = colony::bees::Bee;

    Status put(const Bee& bee) override;
    Result<std::optional<Bee>> find(std::string_view id) const override;
    Result<std::vector<Bee>> list(std::string_view after, std::size_t limit) const override;
    Result<std::vector<Bee>>
    unheard(Timestamp since, colony::bees::Silence below, std::size_t limit) const override;

private:
    Session* session_;
    HiveId hive_;
};

} // namespace hive::store
