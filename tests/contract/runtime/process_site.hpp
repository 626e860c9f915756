#pragma once

#include "kernel/log_capture.hpp"
#include "runtime/process/process_runtime.hpp"
#include "tests/contract/runtime/place.hpp"
#include "tests/support/scratch_directory.hpp"

#include <memory>
#include <string>

namespace hive::contract {

std::string content_of(const std::string& path); // empty when there is none

// A directory of records and logs, on which any number of runtimes may be opened.
class ProcessSite final : public Place {
public:
    std::unique_ptr<runtime::Runtime> open() override { return open(options()); }
    std::unique_ptr<runtime::Runtime> open(runtime::process::Options options);
    bool is_settled(const runtime::Name& name) override;
    std::string saying_of(const runtime::Name& name) override;
    std::size_t many() const override { return 64; }

    runtime::process::Options options() const;
    std::string directory() const { return (scratch_.path() / "hive").string(); }
    std::string log_of(const runtime::Name& name) const;
    std::string record_of(const runtime::Name& name) const;
    const LogCapture& said() const { return capture_; } // by its runtimes

private:
    tests::ScratchDirectory scratch_{};
    SystemClock clock_{};
    LogCapture capture_{};
    LogLevels levels_{};
};

} // namespace hive::contract
