#pragma once

#include "colony/tasks/repository.hpp"
#include "kernel/id.hpp"
#include "store/repository.hpp"
#include "store/session.hpp"

#include <array>

namespace hive::store {

class TaskTable final : public colony::tasks::TaskRecords,
                        public colony::tasks::TaskSearch,
                        public colony::tasks::TaskQueue {
public:
    TaskTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    using Task = colony::tasks::Task;
    using Words = colony::Words;

    colony::tasks::TaskBook book() noexcept { return {*this, *this, *this}; }
    Result<std::array<std::uint64_t, colony::tasks::state_count>> counts() const;

    Result<std::uint64_t> next_numbers(std::size_t count) override;
    Status insert(std::span<const Task> tasks) override;
    Result<bool> update(const Task& task) override;
    Status depend(const std::string& id, const Words& on) override;
    Status tag(const std::string& id, const Words& tags) override;
    Status extend(const std::string& id, Timestamp lease_ends) override;
    Status place(const std::string& id, std::string_view path, Timestamp at) override;

    Result<std::optional<Task>> find(std::string_view id_or_ref) const override;
    Result<std::vector<Task>> find_all(const Words& ids) const override;
    Result<std::vector<Task>> list(const colony::tasks::TaskQuery& query) const override;
    Result<std::optional<Task>> with_unique_key(std::string_view key) const override;

    Result<Words> lanes() const override;
    Result<std::vector<Task>> pending_in(std::string_view lane, std::size_t limit) const override;
    Result<std::vector<Task>> lapsed(Timestamp now, std::size_t limit) const override;
    Result<std::vector<Task>> due(Timestamp now, std::size_t limit) const override;
    Result<Words> dependents(const std::string& id) const override;

private:
    Result<std::vector<Task>> select(std::string_view rest, Params params) const;
    Result<std::vector<Task>> list_next(Filter filter, const colony::tasks::TaskQuery& query) const;
    Result<std::optional<Task>> first(std::string_view rest, Params params) const;

    Session* session_;
    HiveId hive_;
};

} // namespace hive::store
