#pragma once

#include "colony/words.hpp"
#include "kernel/result.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hive::colony::files {

// Who is meant. The same agent is written as `003`, `AGENT_003`, `CLAUDE-CODE-003`, `BOT-00003`, so
// what people write is looked up, in this order: the hive's own table, the bees of the colony by
// their own names, then rules: a numbered agent is `BOT-<three digits>`, the one numbered 0 is the
// queen.
class Aliases {
public:
    // `.deia/hive/aliases.yaml`: a mapping of ids to lists of what else they are called, and
    // `queen:`, the id of the queen.
    static Result<Aliases> parse(std::string_view yaml);

    void know(const std::string& id); // a bee or person of the colony
    const std::string& queen() const noexcept { return queen_; }

    struct Match {
        std::string id; // empty: a word that says nobody, such as `unknown`
        std::size_t length = 0;
    };
    // The longest token at the start of a name; numbers alone count there.
    std::optional<Match> at_start(std::string_view text) const;
    // The first token anywhere in a name or a title; a number alone is none.
    std::optional<Match> anywhere(std::string_view text) const;

    // Of a header value: `BOT-00003 (CLAUDE-CODE-003)`, `Q33N`, `alice`. Nobody: empty.
    std::string resolve(std::string_view value) const;
    // `BOT-001, BOT-003 and BOT-004`: each once; everyone is `ALL`.
    Words resolve_all(std::string_view value) const;

private:
    std::optional<Match> listed(std::string_view text) const;

    std::map<std::string, std::string, std::less<>> table_{}; // lower case spelling: id
    std::map<std::string, std::string, std::less<>> known_{};
    std::string queen_ = "Q33N";
};

inline constexpr std::string_view everyone = "ALL";

} // namespace hive::colony::files
