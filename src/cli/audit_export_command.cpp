#include "audit/export_verifier.hpp"
#include "audit/report_json.hpp"
#include "cli/audit_commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/progress.hpp"
#include "cli/unfinished_file.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

struct AuditExportOptions {
    AuditOptions audit{};
    std::optional<FilePath> output{};
};

void declare_audit_export(OptionTable& table, AuditExportOptions& options) {
    table.add_flag("output", options.output)
        .letter('o')
        .help("new file to write; without it standard output");
    declare_audit(table, options.audit);
}

// Where the export goes: a file that appears when it is whole, or standard output.
struct Destination {
    Host& host;
    std::optional<UnfinishedFile> file{};

    Status write(std::string_view bytes) {
        if (file) return file->write(bytes);
        host.out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (host.out) return {};
        return fail(Errc::closed, "cannot write the output");
    }
};

// Verified while it passes: a connection that ends early must not look like a whole log.
Result<audit::Report> copy(AuditAccess& log, Destination& to) {
    auto key = log.public_key();
    if (!key) return fail(key.error());
    audit::ExportVerifier verifier{{std::move(*key)}};
    Progress progress{to.host, "bytes exported:"};
    std::uint64_t bytes = 0;
    auto done = log.export_to([&](std::string_view piece) -> Status {
        verifier.feed(piece);
        progress.at(bytes += piece.size(), 0);
        return to.write(piece);
    });
    if (!done) return fail(done.error());
    return verifier.finish();
}

bool ended_early(const audit::Report& checked) {
    using enum audit::FaultKind;
    return checked.fault && (checked.fault->kind == truncated || checked.fault->kind == malformed);
}

int finish(const AuditExportOptions& options, Destination& to, const audit::Report& checked) {
    if (ended_early(checked)) {
        return report(
            to.host,
            {Errc::unavailable,
             fmt::format(
                 "the export ended after {} entries ({}); try again, and run 'hive audit verify' "
                 "if it stays so",
                 checked.entries, checked.fault->reason)});
    }
    if (!to.file) {
        if (checked.good()) return exit_ok;
        to.host.out.flush();
        to.host.err << fmt::format(
            "error: the log is not sound: entry {} ({}): {}\n", checked.fault->sequence,
            audit::name_of(checked.fault->kind), checked.fault->reason);
        return exit_check_failed;
    }
    if (auto ok = to.file->keep(); !ok) return report(to.host, ok.error());
    json::object told = to_json(checked);
    if (options.audit.json) told["file"] = options.output->text;
    return print_report(to.host, told, options.audit.json);
}

int run_audit_export(AuditExportOptions& options, Call& call) {
    if (options.audit.json && !options.output) {
        return report(
            call.host, {Errc::invalid, "--json reports about a file; give --output FILE as well"});
    }
    Destination to{.host = call.host};
    auto log = reach_audit(options.audit.reach, call);
    if (!log) return report(call.host, log.error());
    if (options.output) {
        auto file = UnfinishedFile::create(options.output->text, IfThere::refuse);
        if (!file) return report(call.host, file.error());
        to.file.emplace(std::move(*file));
    }
    auto checked = copy(**log, to);
    if (!call.host.out) return exit_failed; // main knows why, and what to say about it
    if (!checked) return report(call.host, checked.error());
    return finish(options, to, *checked);
}

} // namespace

Command audit_export_command() {
    return make_command<AuditExportOptions>(
        {.name = "export",
         .summary = "the whole log, signed up to now, as JSON lines",
         .description =
             "It is verified while it is written; the file appears when it is whole. Exit code 1: "
             "the log was tampered with; it is written all the same. Verify it anywhere with "
             "'hive audit verify FILE --public-key KEY'.",
         .examples =
             {{"hive audit export --output audit.jsonl", "into a new file"},
              {"hive audit export --data .hive | gzip > audit.jsonl.gz",
               "from the files of a hive, compressed"}}},
        declare_audit_export, run_audit_export);
}

} // namespace hive::cli
