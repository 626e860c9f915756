#pragma once

#include "audit/entry_json.hpp"
#include "audit/note.hpp"
#include "audit/verifier.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::audit {

// Verifies an export with nothing but public keys. Bytes come in pieces of any size; memory stays
// within one line.
class ExportVerifier {
public:
    // `pins` are checkpoints kept from earlier: the export must contain what they promise. Without
    // one, an older but honest export cannot be told from a full one.
    explicit ExportVerifier(std::vector<TrustedKey> keys, std::vector<std::string> pins = {});

    bool feed(std::string_view bytes); // false: fault, and no need to go on
    Report finish();

private:
    bool take_line(std::string_view line);
    bool take_header(std::string_view line);
    bool take_checkpoint(std::string_view line);
    bool take_entry(std::string_view line);
    bool refuse(FaultKind kind, const std::string& reason); // names the line

    std::vector<TrustedKey> keys_;
    std::vector<std::string> pins_;
    std::string partial_{}; // a line whose end has not come yet
    std::uint64_t lines_ = 0;
    std::uint64_t checkpoints_due_ = 0;
    EntryReader reader_{};
    std::optional<Verifier> verifier_{}; // once the header said for which hive
    std::optional<Fault> early_{};       // a fault before that
};

} // namespace hive::audit
