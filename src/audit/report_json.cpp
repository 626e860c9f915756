#include "audit/report_json.hpp"

#include "kernel/encoding.hpp"

namespace hive::audit {

json::object to_json(const Report& report) {
    json::object out{{"good", report.good()},     {"entries", report.entries},
                     {"erased", report.erased},   {"checkpoints", report.checkpoints},
                     {"covered", report.covered}, {"root", to_hex(report.root)}};
    if (report.fault) {
        out["fault"] = {
            {"kind", name_of(report.fault->kind)},
            {"sequence", report.fault->sequence},
            {"reason", report.fault->reason}};
    }
    return out;
}

} // namespace hive::audit
