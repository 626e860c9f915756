#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/store_commands.hpp"
#include "kernel/text.hpp"
#include "store/check.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

constexpr std::size_t line_bytes_max = 1000;

Result<store::CheckReport> check(const StoreOptions& options) {
    auto database = open_as_it_is(options.store(), StoreUse::visit);
    auto found = database ? store::check(**database) : fail(database.error());
    if (found || !tells_of_damage(found.error())) return found;
    store::CheckReport broken;
    broken.problems.push_back(found.error().detail);
    return broken;
}

json::object to_json(const store::CheckReport& found) {
    return {
        {"sound", found.sound()},
        {"rows", found.rows},
        {"problems", json::array(found.problems.begin(), found.problems.end())},
        {"notes", json::array(found.notes.begin(), found.notes.end())}};
}

std::string text_of(const store::CheckReport& found, const std::string& name) {
    std::string out =
        found.sound()
            ? fmt::format("{} is sound; rows read: {}.\n", name, found.rows)
            : fmt::format("{} is not sound; restore a backup with 'hive store restore'.\n", name);
    for (const auto& problem : found.problems) {
        out += fmt::format("problem: {}\n", printable(problem, line_bytes_max));
    }
    for (const auto& note : found.notes) {
        out += fmt::format("note: {}\n", printable(note, line_bytes_max));
    }
    return out;
}

int run_store_check(StoreOptions& options, Call& call) {
    auto found = check(options);
    if (!found) return report(call.host, found.error());
    call.host.out
        << (options.json ? to_text(to_json(*found)) + "\n"
                         : text_of(*found, name_of(options.store())));
    return found->sound() ? exit_ok : exit_check_failed;
}

} // namespace

Command store_check_command() {
    return make_command<StoreOptions>(
        {.name = "check",
         .summary = "is the store sound?",
         .description =
             "Runs the engine's own check, reads every row and compares the schema with the one "
             "this program makes. Changes nothing. Exit code 1: the store is damaged. Whether the "
             "audit log is as it was written is another question: 'hive audit verify'.",
         .examples =
             {{"hive store check", "the hive in .hive"},
              {"hive store check --data /srv/hive --json", "for a script"}}},
        declare_store, run_store_check);
}

} // namespace hive::cli
