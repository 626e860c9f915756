#include "cli/local_hive.hpp"

#include "kernel/entropy.hpp"

#include <pwd.h>
#include <unistd.h>

#include <future>
#include <utility>

namespace hive::cli {

std::string user_name() {
    const uid_t id = ::geteuid();
    const passwd* user = ::getpwuid(id); // NOLINT(concurrency-mt-unsafe): one thread asks
    return user != nullptr ? std::string{user->pw_name} : std::to_string(id);
}

LocalHive::LocalHive(Place place, std::unique_ptr<store::Database> database, const Clock& clock)
    : place_{std::move(place)}, clock_{clock}, database_{std::move(database)},
      chronicle_{*database_, place_.hive, fill_from_entropy} {}

Result<std::unique_ptr<LocalHive>> LocalHive::open(Place place, StoreUse use, const Clock& clock) {
    auto database = open_store(place.store, use);
    if (!database) return fail(database.error());
    return std::unique_ptr<LocalHive>{new LocalHive{std::move(place), std::move(*database), clock}};
}

Status LocalHive::change(std::function<Status(rest::Change& change)> work) {
    // Shared: the callback may still be returning from set_value() when get() has returned.
    auto done = std::make_shared<std::promise<Status>>();
    auto ended = done->get_future();
    const rest::Cause cause{.actor = "local:" + user_name()};
    auto taken = chronicle_.change(
        {.work = [work = std::move(work), cause,
                  now = clock_.wall()](store::Session& session, store::Facts& facts) -> Status {
            rest::Change change{session, cause, now};
            if (auto ok = work(change); !ok) return ok;
            facts = std::move(change.facts());
            return {};
        }},
        [done](Status status) { done->set_value(std::move(status)); });
    return taken ? ended.get() : taken;
}

} // namespace hive::cli
