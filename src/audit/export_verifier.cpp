#include "audit/export_verifier.hpp"

#include "audit/export.hpp"

#include <fmt/format.h>

namespace hive::audit {

ExportVerifier::ExportVerifier(std::vector<TrustedKey> keys, std::vector<std::string> pins)
    : keys_{std::move(keys)}, pins_{std::move(pins)} {}

bool ExportVerifier::refuse(FaultKind kind, const std::string& reason) {
    std::string sentence = fmt::format("line {}: {}", lines_, reason);
    if (verifier_) return verifier_->refuse(kind, std::move(sentence));
    if (!early_) early_ = Fault{kind, 1, std::move(sentence)};
    return false;
}

bool ExportVerifier::feed(std::string_view bytes) {
    if (early_ || (verifier_ && verifier_->failed())) return false;
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const std::string_view piece = bytes.substr(0, end);
        if (partial_.size() + piece.size() > export_line_max) {
            ++lines_;
            return refuse(
                FaultKind::malformed, fmt::format("longer than {} bytes", export_line_max));
        }
        if (end == bytes.npos) {
            partial_ += piece;
            return true;
        }
        ++lines_;
        if (partial_.empty()) {
            if (!take_line(piece)) return false;
        } else {
            partial_ += piece;
            const bool ok = take_line(partial_);
            partial_.clear();
            if (!ok) return false;
        }
        bytes.remove_prefix(end + 1);
    }
    return true;
}

bool ExportVerifier::take_line(std::string_view line) {
    if (!verifier_) return take_header(line);
    return is_checkpoint_line(line) ? take_checkpoint(line) : take_entry(line);
}

bool ExportVerifier::take_header(std::string_view line) {
    auto header = read_header_line(line);
    if (!header) return refuse(FaultKind::malformed, header.error().detail);
    checkpoints_due_ = header->checkpoints;
    verifier_.emplace(std::move(header->hive), keys_);
    if (!verifier_->expect(header->closing)) return false;
    for (const auto& pin : pins_) {
        if (!verifier_->expect(pin)) return false;
    }
    return true;
}

bool ExportVerifier::take_checkpoint(std::string_view line) {
    const auto note = read_checkpoint_line(line);
    if (!note) return refuse(FaultKind::malformed, note.error().detail);
    if (checkpoints_due_ == 0) {
        return refuse(FaultKind::missing, "more checkpoints than the header says");
    }
    --checkpoints_due_;
    return verifier_->expect_here(*note);
}

bool ExportVerifier::take_entry(std::string_view line) {
    if (verifier_->size() >= verifier_->promised()) {
        return refuse(
            FaultKind::uncovered,
            fmt::format("no checkpoint covers what follows entry {}", verifier_->size()));
    }
    const auto entry = reader_.read(line);
    if (!entry) return refuse(FaultKind::malformed, entry.error().detail);
    return verifier_->add(*entry);
}

Report ExportVerifier::finish() {
    if (!partial_.empty()) {
        ++lines_;
        refuse(FaultKind::truncated, "ends without a line end: the export was cut short");
    } else if (!verifier_ && !early_) {
        refuse(FaultKind::truncated, "the export is empty");
    }
    if (!verifier_) return Report{.fault = early_};
    Report report = verifier_->finish();
    if (report.good() && checkpoints_due_ > 0) {
        refuse(
            FaultKind::missing,
            fmt::format("{} checkpoints that the header announces are missing", checkpoints_due_));
        return verifier_->finish();
    }
    return report;
}

} // namespace hive::audit
