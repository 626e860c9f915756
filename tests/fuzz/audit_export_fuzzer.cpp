#include "audit/export.hpp"
#include "audit/export_verifier.hpp"
#include "audit/redaction.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hive;
using namespace hive::audit;

namespace {

const std::vector<TrustedKey>& keys() {
    // The seeds of the corpus are signed with this key.
    static const std::vector<TrustedKey> trusted{
        TrustedKey::make("hive.example/main", SigningKey::from_seed({42}).verifying_key()).value()};
    return trusted;
}

// What a reader accepts is exactly what the writer writes.
void check_spelling(std::string_view line) {
    EntryReader reader;
    if (const auto entry = reader.read(line)) {
        std::string again;
        append_json(again, *entry);
        assert(again == line);
        const CanonicalBytes bytes{*entry};
        assert(!bytes.view().empty());
    } else {
        assert(!entry.error().detail.empty());
    }
    if (const auto header = read_header_line(line)) assert(to_line(*header) == line);
    if (const auto note = read_checkpoint_line(line)) {
        assert(to_checkpoint_line(*note) == line);
        if (const auto opened = open_checkpoint(*note, keys())) {
            assert(opened->note.starts_with(to_text(opened->checkpoint)));
        }
    }
    if (const auto key = TrustedKey::parse(line)) assert(key->text() == line);
}

Report verify(std::string_view bytes, std::size_t piece) {
    ExportVerifier verifier{keys()};
    for (std::size_t i = 0; i < bytes.size(); i += piece) {
        if (!verifier.feed(bytes.substr(i, piece))) break;
    }
    return verifier.finish();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = rest.find('\n');
        check_spelling(rest.substr(0, end));
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    }
    // Notes have lines of their own.
    if (const auto opened = open_note(text, keys())) assert(text.starts_with(opened->text));
    if (const auto checkpoint = parse_checkpoint(text)) assert(to_text(*checkpoint) == text);

    const Report whole = verify(text, size + 1);
    const Report pieces = verify(text, 61);
    assert(whole.good() == pieces.good() && whole.entries == pieces.entries);
    if (whole.fault) {
        assert(whole.fault->kind == pieces.fault->kind);
        assert(whole.fault->sequence == pieces.fault->sequence && !whole.fault->reason.empty());
    }
    assert(redact_text(text).size() <= (size + 1) * (redacted.size() + 1));
    return 0;
}
