#include "kernel/entropy.hpp"
#include "store/chronicle.hpp"
#include "store/migration.hpp"
#include "store/postgres/open.hpp"
#include "store/sqlite/open.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <semaphore>
#include <string_view>

// store_crash_writer (sqlite DIRECTORY | postgres URL) FIRST: writes numbered units from FIRST on
// until it is killed, several at a time, and prints the number of each that the store called done.
// A unit is two rows and an audit entry: one without the others is a unit half done.
namespace {

using namespace hive;
using namespace hive::store;

Result<std::unique_ptr<Database>> open(std::string_view engine, const char* where) {
    if (engine == "sqlite") return sqlite::open({.directory = where});
    return postgres::open({.url = where});
}

Status write_pair(Session& session, Facts& facts, std::int64_t number) {
    const std::string name = std::to_string(number);
    facts.push_back(
        {.time = SystemClock{}.wall(),
         .actor = "service:crash-writer",
         .action = "pair.written",
         .entity_type = "pair",
         .entity_id = name});
    for (const char* half : {"left", "right"}) {
        const auto done = session.execute(
            "INSERT INTO settings (hive, name, value, changed) VALUES ($1, $2, 'x', $3)",
            {half, name, number});
        if (!done) return fail(done.error());
    }
    return {};
}

// One write call: lines of several threads never mix, and none stays in a buffer.
void say(const std::string& line) {
    if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) std::_Exit(3);
}

} // namespace

int main(int argc, char** argv) {
    std::int64_t number = 0;
    if (argc != 4) return 2;
    const std::string_view first = argv[3];
    std::from_chars(first.data(), first.data() + first.size(), number);
    auto database = open(argv[1], argv[2]);
    if (!database || !migrate(**database)) return 3;

    Chronicle chronicle{**database, HiveId::parse("main").value(), &fill_from_entropy};
    constexpr int at_once = 32;
    std::counting_semaphore<at_once> room{at_once};
    for (;; ++number) {
        room.acquire();
        const Status taken = chronicle.change(
            {.work =
                 [number](Session& session, Facts& facts) {
                     return write_pair(session, facts, number);
                 }},
            [number, &room](const Status& status) {
                say(status ? fmt::format("{}\n", number)
                           : fmt::format("failed {}: {}\n", number, status.error().detail));
                room.release();
            });
        if (!taken) return 3;
    }
}
