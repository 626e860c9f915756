#pragma once

#include "api/call.hpp"
#include "api/rest/audit_routes.hpp"
#include "audit/checkpoint.hpp"
#include "audit/note.hpp"

namespace hive::rest {

// What the routes under /api/v1/audit do.
class AuditDesk {
public:
    using Later = asio::awaitable<http::Response>;

    explicit AuditDesk(AuditParts parts)
        : parts_{parts}, hive_{parts.transactions.chronicle().hive()},
          trusted_{parts.key.trusted()} {}

    Later search(api::Call call) const;
    Later entry(api::Call call) const;
    Later erase(api::Call call) const;
    Later inclusion(api::Call call) const;
    Later consistency(api::Call call) const;
    Later latest_checkpoint(api::Call call) const;
    Later checkpoint(api::Call call) const;
    Later verify(api::Call call) const;
    // The whole log as JSON lines, signed up to this moment. Read page by page while it is sent.
    Later export_all(api::Call call) const;
    http::Response public_key() const;

private:
    // A checkpoint over everything recorded so far, which may be the one that is there.
    asio::awaitable<Result<audit::SignedCheckpoint>> sign_now() const;

    AuditParts parts_;
    HiveId hive_;
    audit::TrustedKey trusted_;
};

} // namespace hive::rest
