#pragma once

#include "kernel/finding.hpp"
#include "kernel/text.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hive::scenario {

// Collects what is wrong with one file. Of each finding the caller says code, place, key, message
// and hint.
class Report {
public:
    Report(std::string file, std::vector<Finding>& findings)
        : file_{std::move(file)}, findings_{findings} {}

    void error(Finding finding) { add(Severity::error, std::move(finding)); }
    void warning(Finding finding) { add(Severity::warning, std::move(finding)); }
    const std::string& file() const noexcept { return file_; }

private:
    void add(Severity severity, Finding finding) {
        finding.severity = severity;
        finding.file = file_;
        finding.key = printable(finding.key, 200);
        finding.message = printable(finding.message, 500);
        finding.hint = printable(finding.hint, 300);
        // Errors must not be hidden by a heap of warnings, nor a heap of errors cost without end.
        if (++count_ > findings_max && (severity != Severity::error || count_ > 2 * findings_max)) {
            return;
        }
        findings_.push_back(std::move(finding));
    }

    std::string file_;
    std::vector<Finding>& findings_;
    std::size_t count_ = 0;
};

} // namespace hive::scenario
