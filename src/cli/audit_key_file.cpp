#include "cli/audit_key_file.hpp"

#include "cli/file_descriptor.hpp"
#include "cli/read_file.hpp"
#include "kernel/entropy.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace hive::cli {
namespace {

constexpr std::size_t key_bytes_max = 4096;

Status write_new(const std::string& path, const std::string& text) {
    const FileDescriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)};
    const auto refuse = [&] {
        return fail(Errc::denied, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
    };
    if (!file) return refuse();
    if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        return refuse();
    }
    if (::fsync(file.get()) != 0) return refuse();
    return {};
}

} // namespace

Result<rest::AuditKey> load_or_make_audit_key(const std::string& path, const HiveId& hive) {
    const std::string origin = fmt::format("pockethive/{}", hive.text());
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        SigningKey::Seed seed{};
        fill_from_entropy(seed);
        SigningKey made = SigningKey::from_seed(seed);
        if (auto ok = write_new(path, made.to_pem()); !ok) return fail(ok.error());
        return rest::AuditKey{origin, std::move(made)};
    }
    auto text = read_file(path, key_bytes_max);
    if (!text) return fail(Errc::denied, fmt::format("{}: {}", path, text.error().detail));
    auto key = SigningKey::from_pem(*text);
    if (!key) {
        return fail(
            Errc::invalid,
            fmt::format(
                "{} is not an Ed25519 private key in PEM ({}); put the right file back, since "
                "checkpoints signed so far can only be continued with it",
                path, key.error().detail));
    }
    return rest::AuditKey{origin, std::move(*key)};
}

} // namespace hive::cli
