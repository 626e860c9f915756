#include "audit/ledger_verifier.hpp"

#include <fmt/format.h>

namespace hive::audit {
namespace {

// Hands the ledger's checkpoints to the verifier shortly before the entries that they cover.
class CheckpointFeed {
public:
    explicit CheckpointFeed(const Ledger& ledger) : ledger_{ledger} {}

    // Those of up to `size` entries at least. A bad one is a fault of the verifier, not an error.
    Status feed(Verifier& verifier, std::uint64_t size) {
        while (!exhausted_ && loaded_ < size && !verifier.failed()) {
            const auto page = ledger_.checkpoints_after(loaded_, page_max);
            if (!page) return fail(page.error());
            exhausted_ = page->empty();
            for (const auto& saved : *page) {
                loaded_ = saved.checkpoint.size;
                if (!verifier.expect(saved.note)) break;
            }
        }
        return {};
    }

private:
    const Ledger& ledger_;
    std::uint64_t loaded_ = 0;
    bool exhausted_ = false;
};

void compare(Verifier& verifier, const Head& head) {
    if (verifier.failed() || verifier.head() == head) return;
    if (verifier.size() < head.size()) {
        verifier.refuse(
            FaultKind::truncated, fmt::format(
                                      "the log ends after entry {}, but its head counts {}",
                                      verifier.size(), head.size()));
    } else {
        verifier.refuse(FaultKind::altered, "the stored head does not fit the entries before it");
    }
}

} // namespace

Result<Report> verify_ledger(
    const Ledger& ledger, std::vector<TrustedKey> keys, const std::vector<std::string>& pins) {
    const auto head = ledger.head();
    if (!head) return fail(head.error());
    Verifier verifier{head->hive, std::move(keys)};
    for (const auto& pin : pins) verifier.expect(pin);

    CheckpointFeed checkpoints{ledger};
    while (!verifier.failed()) {
        if (auto ok = checkpoints.feed(verifier, verifier.size() + page_max); !ok) {
            return fail(ok.error());
        }
        const auto page = ledger.read(verifier.size() + 1, page_max);
        if (!page) return fail(page.error());
        if (page->empty()) break;
        for (const Entry& entry : *page) {
            if (!verifier.add(view_of(entry))) break;
        }
    }
    compare(verifier, *head);
    return verifier.finish();
}

} // namespace hive::audit
