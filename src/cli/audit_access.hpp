#pragma once

#include "api/rest/audit_routes.hpp"
#include "audit/ledger.hpp"
#include "audit/note.hpp"
#include "audit/verifier.hpp"
#include "cli/local_hive.hpp"
#include "cli/reach.hpp"
#include "cli/server_client.hpp"
#include "kernel/json.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::cli {

struct AuditPage {
    json::array items{};
    std::string next{}; // cursor of the next page; empty on the last
};

struct VerifyWish {
    std::vector<audit::TrustedKey> keys{}; // empty: the hive's own
    std::vector<std::string> pins{};       // notes of checkpoints kept from earlier
    std::function<void(std::uint64_t done, std::uint64_t all)> progress{};
};

// The audit log of a hive. Whichever way it is reached, answers have the form of the REST API.
class AuditAccess {
public:
    using Sink = std::function<Status(std::string_view)>;
    virtual ~AuditAccess() = default;

    // Newest first; `query.before` is not looked at.
    virtual Result<AuditPage> search(const audit::Query& query, const std::string& cursor) = 0;
    virtual Result<json::object> show(std::uint64_t sequence) = 0;
    virtual Status erase(std::uint64_t sequence) = 0;
    virtual Result<json::object> checkpoint() = 0;
    virtual Result<audit::TrustedKey> public_key() = 0;
    virtual Result<json::object> verify(const VerifyWish& wish) = 0; // an AuditReport
    virtual Status export_to(const Sink& sink) = 0;
};

class RemoteAudit final : public AuditAccess {
public:
    explicit RemoteAudit(ServerClient client) : client_{std::move(client)} {}

    Result<AuditPage> search(const audit::Query& query, const std::string& cursor) override;
    Result<json::object> show(std::uint64_t sequence) override;
    Status erase(std::uint64_t sequence) override;
    Result<json::object> checkpoint() override;
    Result<audit::TrustedKey> public_key() override;
    Result<json::object> verify(const VerifyWish& wish) override;
    Status export_to(const Sink& sink) override;

private:
    ServerClient client_;
};

class LocalAudit final : public AuditAccess {
public:
    // `key_file` empty: audit.key in the data directory.
    LocalAudit(std::unique_ptr<LocalHive> hive, std::string key_file);

    Result<AuditPage> search(const audit::Query& query, const std::string& cursor) override;
    Result<json::object> show(std::uint64_t sequence) override;
    Status erase(std::uint64_t sequence) override;
    Result<json::object> checkpoint() override;
    Result<audit::TrustedKey> public_key() override;
    Result<json::object> verify(const VerifyWish& wish) override;
    Status export_to(const Sink& sink) override;

private:
    // Made when there is none and nothing was signed yet, as a server does when it first starts.
    Result<rest::AuditKey> signing_key();
    Result<audit::SignedCheckpoint> sign_now();
    Result<std::optional<audit::SignedCheckpoint>> latest_checkpoint();

    std::unique_ptr<LocalHive> hive_;
    std::string key_file_;
};

struct AuditReach {
    ReachConfig hive{};
    std::optional<FilePath> key_file{};
};
void declare_audit_reach(OptionTable& table, AuditReach& config);
Result<std::unique_ptr<AuditAccess>> reach_audit(const AuditReach& config, const Call& call);

} // namespace hive::cli
