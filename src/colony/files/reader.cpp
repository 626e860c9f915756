#include "colony/files/document.hpp"
#include "colony/files/name.hpp"
#include "colony/files/references.hpp"
#include "colony/files/task_file.hpp"
#include "colony/files/text.hpp"
#include "colony/files/vocabulary.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::colony::files {
namespace {

constexpr std::size_t title_max = 250;
constexpr std::size_t body_max = 100'000;

using tasks::State;

std::string source_of(const HeaderLine& line) {
    if (line.line == 0) return fmt::format("{} '{}'", name_of(line.carrier), line.key);
    return fmt::format("{} '{}', line {}", name_of(line.carrier), line.key, line.line);
}

// One file on its way to a document.
class Reader {
public:
    Reader(std::string_view path, std::string_view text, const Lens& lens)
        : lens_{lens}, text_{text} {
        out_.path = path;
        out_.place = place_of(path);
        name_ = parts_of(stem(), lens.aliases, lens.zone);
    }

    Document read() {
        read_head();
        find_title();
        find_sender();
        find_recipients();
        find_time();
        find_kind();
        find_task_name();
        find_state();
        find_priority();
        if (const auto* on = head().find({"depends on", "dependencies", "depends", "dependson"}))
            out_.depends_on = dependencies_in(on->value);
        out_.cited = cited_tasks(text_);
        find_body();
        return std::move(out_);
    }

private:
    const Head& head() const { return out_.head; }
    Family family() const { return out_.place.family; }
    bool is_task() const { return family() == Family::task; }

    // Loggers put `BOT-` before a name that has one already.
    std::string stem() const {
        const std::string& whole = out_.place.stem;
        constexpr std::string_view doubled = "BOT-";
        if (!whole.starts_with(doubled)) return whole;
        const std::string rest = whole.substr(doubled.size());
        const auto match = lens_.aliases.at_start(rest);
        return match && !is_digit(rest.front()) ? rest : whole;
    }

    void read_head() {
        const std::string& extension = out_.place.extension;
        if (family() == Family::log) {
            out_.lines = read_log(text_, lens_.zone);
            const auto bad = std::ranges::count(out_.lines, LogLine::Form::opaque, &LogLine::form);
            if (bad > 0) {
                out_.flaws.push_back(
                    {"bad-lines", fmt::format("lines that are no JSON, kept as text: {}", bad)});
            }
        } else if (extension == ".json") {
            if (auto read = head_of_json(text_)) {
                out_.head = *std::move(read);
            } else {
                out_.flaws.push_back({"bad-json", "it is no JSON object; kept as text"});
            }
        } else if (extension == ".yaml" || extension == ".yml") {
            out_.head = head_of(fmt::format("---\n{}\n---\n", text_));
            if (!head().front_matter)
                out_.flaws.push_back({"bad-yaml", "it is no YAML mapping; kept as text"});
        } else {
            out_.head = head_of(text_);
        }
        if (!head().problem.empty()) out_.flaws.push_back({"bad-front-matter", head().problem});
        if (const auto* mark = head().find({"hive"}))
            out_.ours = mark->carrier == Carrier::front_matter && mark->value.ends_with("/1");
    }

    void find_title() {
        auto& title = out_.title;
        if (!head().title.empty()) {
            title = {
                head().title, head().title,
                head().title_line > 0 ? fmt::format("heading, line {}", head().title_line)
                                      : std::string{"JSON 'title'"}};
        } else if (out_.place.extension == ".md") {
            const auto lines = lines_of(text_);
            std::size_t at = 0;
            for (std::size_t i = 0; i < lines.size() && title.value.empty(); ++i) {
                const auto line = trimmed(lines[i]);
                if (line.find_first_not_of("-=*_ `#|~") == line.npos) continue;
                title.value = folded(plain(line));
                at = i + 1;
            }
            title.source = fmt::format("first line of text, line {}", at);
            title.raw = title.value;
        }
        if (title.value.empty()) {
            const bool whole = name_.subject.empty() || out_.place.extension != ".md";
            title = {unslugged(whole ? stem() : name_.subject), stem(), "file name"};
        }
        title.value = clipped(title.value, title_max);
    }

    static std::string unslugged(std::string text) {
        std::ranges::replace(text, '-', ' ');
        std::ranges::replace(text, '_', ' ');
        const auto words = trimmed(text);
        return words.empty() ? std::string{"untitled"} : std::string{words};
    }

    bool sender_by_header() {
        const auto* line =
            is_task() ? head().find(
                            {"from", "assigned by", "created by", "author", "requested by",
                             "reporter", "issued by", "assigner"})
                      : head().find(
                            {"from", "completed by", "author", "agent", "agent id", "bot id", "bot",
                             "bee", "reporter", "tester", "submitted by", "reported by",
                             "prepared by", "created by", "assigned to", "by"});
        if (line == nullptr) return false;
        out_.sender = {lens_.aliases.resolve(line->value), line->value, source_of(*line)};
        return !out_.sender.value.empty();
    }

    void find_sender() {
        if (sender_by_header()) return;
        auto& sender = out_.sender;
        // One agent alone in the name of a task is whom it is for.
        const bool alone = is_task() && name_.to.empty();
        if (!name_.from.empty() && !alone) {
            sender = {name_.from, out_.place.stem, "file name"};
            return;
        }
        if (!is_task()) {
            if (auto match = lens_.aliases.anywhere(stem())) {
                sender = {match->id, out_.place.stem, "agent in the file name"};
                return;
            }
            for (const LogLine& line : out_.lines) {
                if (line.actor.empty()) continue;
                sender = {
                    lens_.aliases.resolve(line.actor), line.actor, "first line with an actor"};
                if (!sender.value.empty()) return;
            }
            const bool lines = family() == Family::log; // they tell of others
            if (auto match = lens_.aliases.anywhere(out_.title.value); match && !lines) {
                sender = {match->id, out_.title.value, "title"};
                return;
            }
            if (!lines && sender_by_signature()) return;
        }
        sender = {is_task() ? lens_.aliases.queen() : std::string{"unknown"}, "", "default"};
    }

    bool sender_by_signature() {
        const auto lines = lines_of(text_);
        std::size_t looked = 0;
        for (auto line = lines.rbegin(); line != lines.rend() && looked < 5; ++line) {
            if (trimmed(*line).empty()) continue;
            ++looked;
            if (auto match = lens_.aliases.anywhere(folded(*line))) {
                out_.sender = {match->id, std::string{trimmed(*line)}, "signature"};
                return true;
            }
        }
        return false;
    }

    void find_recipients() {
        auto& to = out_.recipients;
        const auto* line = is_task()
                               ? head().find(
                                     {"to", "assigned to", "assignee", "bot id", "bot", "assigned",
                                      "recipient", "recipients", "for", "owner", "agent"})
                               : head().find({"to", "recipient", "recipients", "cc"});
        if (line != nullptr) {
            to = {lens_.aliases.resolve_all(line->value), line->value, source_of(*line)};
            if (!to.value.empty()) return;
        }
        const std::string& named = !name_.to.empty() || !is_task() ? name_.to : name_.from;
        if (!named.empty()) {
            to = {{named}, out_.place.stem, "file name"};
        } else if (!out_.place.inbox.empty()) {
            to = {{lens_.aliases.resolve(out_.place.inbox)}, out_.place.inbox, "inbox directory"};
        } else if (is_task()) {
            auto match = lens_.aliases.anywhere(out_.place.stem);
            if (!match) match = lens_.aliases.anywhere(out_.title.value);
            if (match) to = {{match->id}, "", "agent in the name or title"};
        }
        std::erase(to.value, std::string{});
    }

    void find_time() {
        auto& time = out_.time;
        if (name_.when) {
            time = {name_.when->time, out_.place.stem, "file name"};
            return;
        }
        for (const auto* key :
             {"date", "created", "created at", "timestamp", "completed", "completion timestamp",
              "time", "response generated", "generated", "last heartbeat", "start time", "updated",
              "assigned", "last updated", "rev"}) {
            const auto* line = head().find({key});
            const auto when = line != nullptr ? when_in(line->value, lens_.zone) : std::nullopt;
            if (!when) continue; // `Date: soon`: another may be of use
            time = {when->time, line->value, source_of(*line)};
            return;
        }
        for (const LogLine& entry : out_.lines) {
            if (!entry.time) continue;
            time = {*entry.time, "", "first line with a time"};
            return;
        }
        if (const auto when = when_in(out_.place.stem, lens_.zone)) {
            time = {when->time, out_.place.stem, "date in the file name"};
        } else if (const auto said = when_in(text_, lens_.zone)) {
            time = {said->time, "", "first date in the text"};
        } else if (const auto at = committed()) {
            time = {*at, "", "first commit in git"};
        } else {
            time = {lens_.modified, "", "when the file was changed"};
        }
    }

    std::optional<Timestamp> committed() const {
        return lens_.history != nullptr ? lens_.history->committed(out_.path) : std::nullopt;
    }

    void find_kind() {
        if (const auto* line = head().find({"type", "kind"})) {
            if (auto kind = kind_at_start(line->value)) out_.kind = kind->word;
        }
        if (out_.kind.empty()) out_.kind = name_.kind;
        if (out_.kind.empty() && !is_task()) {
            if (auto kind = kind_at_start(out_.title.value)) out_.kind = kind->word;
        }
        if (is_task() && out_.kind.empty()) out_.kind = "TASK";
    }

    void find_task_name() {
        const auto* line = is_task()
                               ? head().find({"task id", "id", "task ref", "backlog id"})
                               : head().find(
                                     {"task", "task id", "task file", "original task", "re",
                                      "in response to", "assignment", "reference", "backlog id"});
        // `Backlog ID: NEW` names none.
        if (line != nullptr && (line->key != "backlog id" || !task_id_in(line->value).empty())) {
            out_.task_name = {line->value, line->value, source_of(*line)};
        } else if (!name_.task_id.empty()) {
            out_.task_name = {name_.task_id, out_.place.stem, "file name"};
        } else if (auto id = task_id_in(out_.title.value); !id.empty()) {
            out_.task_name = {id, out_.title.value, "title"};
        }
    }

    // Where a file lies says more than what stands in it: moving it is how it is closed.
    void find_state() {
        auto& state = out_.state;
        std::optional<State> said;
        if (const auto* line = head().find({"status", "state", "outcome", "final status"})) {
            said = state_in(line->value);
            state.raw = line->value;
            state.source = source_of(*line);
        }
        if (!said && name_.state) {
            said = name_.state;
            state.source = "file name";
        }
        if (!is_task()) {
            state.value = said.value_or(State::pending);
            if (!said) state.source.clear();
            return;
        }
        const bool ended =
            said && (*said == State::failed || *said == State::cancelled || *said == State::dead);
        if (out_.place.archived && !ended) {
            state.value = State::completed;
            state.source = "it is in an archive";
        } else if (said) {
            state.value = *said;
        } else {
            state.source = "it is not in an archive";
        }
    }

    void find_priority() {
        auto& priority = out_.priority;
        priority.value = tasks::priority_usual;
        const auto* line = head().find({"priority", "urgency", "severity"});
        const auto said = line != nullptr ? priority_in(line->value) : std::nullopt;
        if (said) {
            priority = {*said, line->value, source_of(*line)};
        } else if (name_.priority) {
            priority = {*name_.priority, out_.place.stem, "file name"};
        } else {
            priority.source = "default";
        }
    }

    void find_body() {
        if (family() == Family::log || family() == Family::session) return;
        out_.body = text_;
        if (const auto* line = head().find({"description", "content"});
            line != nullptr && line->carrier == Carrier::json) {
            out_.body = line->value;
        }
        if (out_.body.size() > body_max) {
            out_.body = clipped(out_.body, body_max);
            out_.flaws.push_back(
                {"cut", fmt::format("only the first {} bytes are shown; all are kept", body_max)});
        }
    }

    Lens lens_;
    std::string_view text_;
    NameParts name_;
    Document out_{};
};

void take_canonical(Document& document, std::string_view text) {
    auto file = read_task_file(text);
    if (!file) {
        document.flaws.push_back({"bad-task-file", file.error().detail});
        document.ours = false;
        return;
    }
    document.ours = true;
    document.task = std::move(file->said);
    document.written = std::move(file->written);
    document.description_edited = file->description_edited;
}

} // namespace

Document read_document(std::string_view path, std::string_view bytes, const Lens& lens) {
    const bool cut = bytes.size() > file_bytes_max;
    if (cut) bytes = bytes.substr(0, file_bytes_max);
    const std::string text = repaired(bytes);
    Document document = Reader{repaired(path), text, lens}.read();
    if (cut) {
        document.flaws.push_back(
            {"too-large", fmt::format("only its first {} bytes were read", file_bytes_max)});
    }
    // As it was written when it is as it was written; else as an editor has left it.
    const bool exact =
        is_task_file(bytes) && bytes.find('\0') == bytes.npos && !find_invalid_utf8(bytes);
    if (document.place.family == Family::task && is_task_file(text))
        take_canonical(document, exact ? bytes : std::string_view{text});
    return document;
}

} // namespace hive::colony::files
