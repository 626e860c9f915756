#include "cli/questions.hpp"

#include "cli/run_options.hpp"
#include "kernel/duration.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

namespace hive::cli {
namespace {

constexpr std::size_t line_max = 4'096;

} // namespace

Result<importer::ScaffoldWish> wish_of(std::string id, const NewScenarioFlags& flags) {
    importer::ScaffoldWish wish{.id = std::move(id), .kind = flags.kind, .url = flags.url};
    if (!flags.method.empty()) wish.method = flags.method;
    if (flags.duration) wish.length = *flags.duration;
    if (flags.rate.empty()) return wish;
    const auto rate = rate_of(flags.rate);
    if (!rate) return fail(rate.error());
    if (!*rate) return fail(Errc::invalid, "--rate: a scenario to begin with has a number here");
    wish.rate_per_sec = **rate;
    return wish;
}

std::string prompt_of(const Question& question) {
    if (question.usual.empty()) return question.text + ": ";
    return fmt::format("{} [{}]: ", question.text, question.usual);
}

Result<AskedScenario> ask_for_scenario(const NewScenarioFlags& flags, const Ask& ask) {
    AskedScenario out{.flags = flags};
    bool gone = false;
    const auto answer = [&](std::string text, const std::string& usual) {
        const auto said = gone ? std::nullopt : ask({std::move(text), usual});
        gone = gone || !said;
        return said && !said->empty() ? *said : usual;
    };
    out.path = answer("Folder to make", "my-scenario");
    out.flags.kind =
        answer(fmt::format("Kind ({})", fmt::join(importer::scaffold_kinds(), ", ")), flags.kind);
    const std::string url{importer::usual_url(out.flags.kind)};
    out.flags.url = answer("URL of the system under test", flags.url.empty() ? url : flags.url);
    if (out.flags.kind != "tcp") {
        out.flags.method = answer("Method", flags.method.empty() ? "GET" : flags.method);
    }
    out.flags.rate = answer("Calls per second", flags.rate.empty() ? "50" : flags.rate);
    const auto usual = flags.duration.value_or(std::chrono::seconds{10});
    const auto duration = parse_duration(answer("How long", format_duration(usual)));
    if (gone) return fail(Errc::invalid, "the questions were not answered; nothing was written");
    if (!duration) return fail(duration.error());
    out.flags.duration = *duration;
    return out;
}

std::optional<std::string> LineReader::next() {
    std::string line;
    for (;;) {
        char c = 0;
        const ssize_t got = ::read(descriptor_, &c, 1);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 || line.size() == line_max) return std::nullopt;
        if (c == '\n') return line;
        if (c != '\r') line += c;
    }
}

} // namespace hive::cli
