#include "cli/audit_commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/text_table.hpp"
#include "kernel/duration.hpp"
#include "kernel/text.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::cli {
namespace {

constexpr std::size_t page_entries = 100; // entries may be large; a page must stay small

struct AuditSearchOptions {
    AuditOptions audit{};
    audit::Query query{};
    std::string since{};
    std::string until{};
    std::uint64_t limit = 50;
    bool all = false;
};

Result<std::optional<Timestamp>> moment(const std::string& text, Timestamp now) {
    if (text.empty()) return std::nullopt;
    if (auto time = parse_timestamp(text)) return *time;
    if (auto ago = parse_duration(text)) return now - *ago;
    return fail(Errc::invalid, {});
}

Status check_moment(const std::string& text) {
    auto read = moment(text, {});
    return read ? Status{} : fail(read.error());
}

void declare_audit_search(OptionTable& table, AuditSearchOptions& options) {
    audit::Query& query = options.query;
    constexpr const char* moments = "a time like 2026-01-05T10:00:00Z, or how long ago like 24h";
    table.add_flag("actor", query.actor).help("only what this one did, such as human:alice");
    table.add_flag("action", query.action).help("only this, such as key.created");
    table.add_flag("entity-type", query.entity_type)
        .help("only what was done to things of this type, such as key");
    table.add_flag("entity-id", query.entity_id).help("only what was done to this thing");
    table.add_flag("since", options.since)
        .value_name("TIME")
        .expected(moments)
        .check(check_moment)
        .help("not before this time, or how long ago, such as 24h");
    table.add_flag("until", options.until)
        .value_name("TIME")
        .expected(moments)
        .check(check_moment)
        .help("only before this time, or how long ago");
    table.add_flag("limit", options.limit)
        .letter('n')
        .range(1, 1'000'000)
        .help("so many entries at most, newest first");
    table.add_flag("all", options.all).help("all entries, whatever the limit");
    declare_audit(table, options.audit);
}

// Entries as they come, for people or for scripts; there may be millions.
class EntryPrinter {
public:
    EntryPrinter(Host& host, bool as_json) : host_{host}, json_{as_json} {
        if (json_) host_.out << R"({"items":[)";
    }

    void print(const json::value& entry) {
        if (json_) {
            host_.out << (printed_ > 0 ? "," : "") << to_text(entry);
        } else {
            host_.out << line_of(entry.as_object());
        }
        ++printed_;
    }

    void end(bool more) {
        if (json_) {
            host_.out << "]" << (more ? R"(,"more":true)" : "") << "}\n";
        } else if (printed_ == 0) {
            host_.err << "There is no such entry.\n";
        } else if (more) {
            host_.out.flush();
            host_.err << "There are more entries; --all shows them.\n";
        }
    }

    std::uint64_t printed() const noexcept { return printed_; }

private:
    static std::string line_of(const json::object& entry) {
        const auto shown = [&](std::string_view name) {
            return printable(member_text(entry, name), 255);
        };
        return fmt::format(
            "{:>7}  {}  {:<20}  {:<22}  {} {}\n", shown("sequence"), member_time(entry, "time"),
            shown("actor"), shown("action"), shown("entityType"), shown("entityId"));
    }

    Host& host_;
    bool json_;
    std::uint64_t printed_ = 0;
};

int run_audit_search(AuditSearchOptions& options, Call& call) {
    auto log = reach_audit(options.audit.reach, call);
    if (!log) return report(call.host, log.error());
    const Timestamp now = call.host.clock.wall();
    options.query.since = *moment(options.since, now);
    options.query.until = *moment(options.until, now);
    std::uint64_t left = options.all ? std::numeric_limits<std::uint64_t>::max() : options.limit;
    std::optional<EntryPrinter> printer; // not before the first page is there
    for (std::string cursor;;) {
        options.query.limit = std::min<std::uint64_t>(left, page_entries);
        auto page = (*log)->search(options.query, cursor);
        if (!page) return report(call.host, page.error());
        if (!printer) printer.emplace(call.host, options.audit.json);
        for (const auto& entry : page->items) printer->print(entry);
        left -= std::min<std::uint64_t>(left, page->items.size());
        if (page->next.empty() || left == 0) {
            printer->end(!page->next.empty());
            return exit_ok;
        }
        cursor = page->next;
    }
}

} // namespace

Command audit_search_command() {
    return make_command<AuditSearchOptions>(
        {.name = "search",
         .summary = "what happened, newest first",
         .examples =
             {{"hive audit search --actor human:alice --since 24h", "what alice did today"},
              {"hive audit search --entity-id key-4f1c9a2e77d0 --all --json",
               "the whole life of a key, for a script"}}},
        declare_audit_search, run_audit_search);
}

} // namespace hive::cli
