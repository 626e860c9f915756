#include "store/bee_tables.hpp"

#include "store/columns.hpp"
#include "store/repository.hpp"

namespace hive::store {

using colony::bees::Bee;
using colony::bees::from_stored;

Status BeeTable::put(const Bee& bee) {
    const std::string body = to_text(to_json(bee));
    return nothing_but(session_->execute(
        "INSERT INTO colony_bee (hive, id, last_seen, alarm, body) VALUES ($1, $2, $3, $4, $5) "
        "ON CONFLICT (hive, id) DO UPDATE SET last_seen = $3, alarm = $4, body = $5",
        {hive_.text(), bee.id, as_column(bee.last_seen), static_cast<std::int64_t>(bee.alarm),
         body}));
}

Result<std::optional<Bee>> BeeTable::find(std::string_view id) const {
    return first_of(read_bodies(
        *session_, "SELECT body FROM colony_bee WHERE hive = $1 AND id = $2", {hive_.text(), id},
        from_stored));
}

Result<std::vector<Bee>> BeeTable::list(std::string_view after, std::size_t limit) const {
    return read_bodies(
        *session_, "SELECT body FROM colony_bee WHERE hive = $1 AND id > $2 ORDER BY id LIMIT $3",
        {hive_.text(), after, static_cast<std::int64_t>(limit)}, from_stored);
}

Result<std::vector<Bee>>
BeeTable::unheard(Timestamp since, colony::bees::Silence below, std::size_t limit) const {
    return read_bodies(
        *session_,
        "SELECT body FROM colony_bee WHERE last_seen <= $2 AND alarm < $3 AND hive = $1 "
        "ORDER BY last_seen LIMIT $4",
        {hive_.text(), as_column(since), static_cast<std::int64_t>(below),
         static_cast<std::int64_t>(limit)},
        from_stored);
}

} // namespace hive::store
