#pragma once

#include "api/denial_log.hpp"
#include "api/rest/refusal_book.hpp"
#include "api/rest/transactions.hpp"
#include "kernel/log.hpp"

#include <mutex>

namespace hive::rest {

// What is refused goes into the audit log beside the answer, which does not wait for it. Used from
// every thread.
class Refusals final : public api::DenialLog {
public:
    Refusals(Transactions& transactions, Logger log)
        : transactions_{&transactions}, log_{std::move(log)} {}

    void note(Refused refused);
    void denied(const api::Call& call, const api::Problem& why) override;

    void write_due(); // now and then
    void write_all(); // at the end

private:
    void write(const Refused& refused);

    Transactions* transactions_;
    Logger log_;
    std::mutex mutex_;
    RefusalBook book_;
};

} // namespace hive::rest
