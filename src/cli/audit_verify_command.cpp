#include "audit/export_verifier.hpp"
#include "audit/report_json.hpp"
#include "cli/audit_commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/file_descriptor.hpp"
#include "cli/progress.hpp"
#include "cli/read_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace hive::cli {
namespace {

struct AuditVerifyOptions {
    AuditOptions audit{};
    std::optional<FilePath> file{};
    std::vector<std::string> keys{};
    std::vector<FilePath> key_files{};
    std::vector<FilePath> pins{};
};

void declare_audit_verify(OptionTable& table, AuditVerifyOptions& options) {
    table.add_positional("EXPORT", options.file)
        .help("file written by 'hive audit export'; - is standard input; without it the log "
              "itself is verified where it is");
    table.add_flag("public-key", options.keys)
        .value_name("KEY")
        .help("key to trust, as 'hive audit key' prints it");
    table.add_flag("public-key-file", options.key_files).help("file with such a key");
    table.add_flag("pin", options.pins)
        .help("file with a checkpoint kept from earlier: what it promises must be there");
    declare_audit(table, options.audit);
}

Result<audit::TrustedKey> key_of(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    auto key = audit::TrustedKey::parse(text);
    if (key) return key;
    return fail(
        Errc::invalid,
        fmt::format("not a public key as 'hive audit key' prints it: {}", key.error().detail));
}

Result<std::string> text_in(const FilePath& file) {
    auto text = read_file(file.text, audit::note_bytes_max);
    if (text) return text;
    return fail(Errc::invalid, fmt::format("{} {}", file.text, text.error().detail));
}

Result<VerifyWish> wish_of(const AuditVerifyOptions& options) {
    VerifyWish wish;
    std::vector<std::string> texts = options.keys;
    for (const FilePath& file : options.key_files) {
        auto text = text_in(file);
        if (!text) return fail(text.error());
        texts.push_back(std::move(*text));
    }
    for (const std::string& text : texts) {
        auto key = key_of(text);
        if (!key) return fail(key.error());
        wish.keys.push_back(std::move(*key));
    }
    for (const FilePath& file : options.pins) {
        auto note = text_in(file);
        if (!note) return fail(note.error());
        wish.pins.push_back(std::move(*note));
    }
    return wish;
}

// Reads to the end or to the first fault, in constant memory.
Result<audit::Report> verify_bytes(int descriptor, const VerifyWish& wish) {
    struct stat status{};
    const bool known = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    const auto all = known ? static_cast<std::uint64_t>(status.st_size) : 0;
    audit::ExportVerifier verifier{wish.keys, wish.pins};
    std::vector<char> buffer(std::size_t{256} << 10U);
    for (std::uint64_t done = 0;;) {
        const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail(Errc::unavailable, std::strerror(errno));
        if (got == 0) return verifier.finish();
        const auto count = static_cast<std::size_t>(got);
        if (!verifier.feed({buffer.data(), count})) return verifier.finish();
        wish.progress(done += count, all);
    }
}

Result<json::object> verify_export(const std::string& path, const VerifyWish& wish, int in) {
    if (wish.keys.empty()) {
        return fail(
            Errc::invalid,
            "an export is verified with the hive's public key, which you must have from the hive "
            "and not from the export; give --public-key KEY, as 'hive audit key' prints it");
    }
    FileDescriptor opened;
    if (path != "-") {
        opened = FileDescriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
        if (!opened) {
            return fail(
                Errc::invalid, fmt::format("{} cannot be read: {}", path, std::strerror(errno)));
        }
    }
    auto checked = verify_bytes(opened ? opened.get() : in, wish);
    if (!checked) {
        return fail(
            Errc::unavailable, fmt::format("{} cannot be read: {}", path, checked.error().detail));
    }
    return to_json(*checked);
}

int run_audit_verify(AuditVerifyOptions& options, Call& call) {
    auto wish = wish_of(options);
    if (!wish) return report(call.host, wish.error());
    Result<json::object> checked;
    {
        Progress progress{call.host, "verifying"};
        wish->progress = [&](std::uint64_t done, std::uint64_t all) { progress.at(done, all); };
        if (options.file) {
            checked = verify_export(options.file->text, *wish, call.host.in);
        } else {
            auto log = reach_audit(options.audit.reach, call);
            if (!log) return report(call.host, log.error());
            checked = (*log)->verify(*wish);
        }
    }
    if (!checked) return report(call.host, checked.error());
    return print_report(call.host, *checked, options.audit.json);
}

} // namespace

Command audit_verify_command() {
    return make_command<AuditVerifyOptions>(
        {.name = "verify",
         .summary = "is every entry as it was written, and signed?",
         .description =
             "Checks the hash chain, the Merkle tree, the details and every signed checkpoint, and "
             "names the first entry that is not as it was written. Exit code 1: the log was "
             "tampered with.\n\n"
             "An export is verified without a server: with the public key, and best with a "
             "checkpoint (--pin) that was kept elsewhere, since only that shows whether the end "
             "was cut off.",
         .examples =
             {{"hive audit verify", "the log of the server, by the server"},
              {"hive audit verify --data .hive", "the log in these files"},
              {"hive audit verify audit.jsonl --public-key-file hive.pub --pin january.note",
               "an export, anywhere"}}},
        declare_audit_verify, run_audit_verify);
}

} // namespace hive::cli
