#pragma once

#include "csv/table.hpp"
#include "kernel/fields.hpp"
#include "worker/pacing_config.hpp"

#include <span>
#include <string>

namespace hive::csv {

std::span<const Named<Charset>> names_of(Charset);

} // namespace hive::csv

namespace hive::worker {

// A row of a file for each item.
struct CsvInput {
    SchedulerInput pace{};
    FilePath file_path{};
    bool rotate = false;
    bool skip_header = true;
    std::string delimiter = ",";
    csv::Charset charset = csv::Charset::utf8;
    double startup_delay_seconds = 0;
    bool operator==(const CsvInput&) const = default;
};
void describe(FieldTable& fields, CsvInput& input);

csv::Table::Options table_of(const CsvInput& input);

} // namespace hive::worker
