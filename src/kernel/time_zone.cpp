#include "kernel/time_zone.hpp"

#include "kernel/time_zone_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive {
namespace {

using namespace std::chrono;

constexpr std::size_t name_max = 64;
constexpr int last_year = 2199;
// Further from UTC no clock is, and no two changes of one place are as near to each other.
constexpr hours day_and_more{26};

bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// Big-endian numbers of a file, until it ends.
class Numbers {
public:
    explicit Numbers(std::string_view bytes) : rest_{bytes} {}

    bool skip(std::size_t count) {
        if (rest_.size() < count) {
            good_ = false;
            return false;
        }
        rest_.remove_prefix(count);
        return true;
    }
    std::int64_t take(std::size_t width) {
        if (rest_.size() < width) {
            good_ = false;
            return 0;
        }
        // Sign-extended by the first byte.
        auto value = static_cast<std::int64_t>(static_cast<signed char>(rest_[0]));
        for (std::size_t i = 1; i < width; ++i) {
            value = value * 256 + static_cast<unsigned char>(rest_[i]);
        }
        rest_.remove_prefix(width);
        return value;
    }
    bool good() const noexcept { return good_; }
    std::string_view rest() const noexcept { return rest_; }

private:
    std::string_view rest_;
    bool good_ = true;
};

struct Counts {
    std::size_t ut, standard, leap, times, types, letters;
};

// `TZif`, a version, 15 bytes for later, six counts.
Result<Counts> read_counts(Numbers& numbers) {
    constexpr std::size_t before_counts = 20;
    constexpr std::size_t most = 100'000;
    if (!numbers.rest().starts_with("TZif") || !numbers.skip(before_counts)) {
        return fail(Errc::invalid, "the file is no compiled time zone");
    }
    std::size_t counts[6]{};
    for (auto& count : counts) {
        const auto found = numbers.take(4);
        if (!numbers.good() || found < 0 || static_cast<std::size_t>(found) > most) {
            return fail(Errc::invalid, "the file of the time zone is damaged");
        }
        count = static_cast<std::size_t>(found);
    }
    return Counts{counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]};
}

std::size_t size_of(const Counts& counts, std::size_t width) {
    return counts.times * (width + 1) + counts.types * 6 + counts.letters +
           counts.leap * (width + 4) + counts.standard + counts.ut;
}

struct Block {
    seconds first{0};
    std::vector<TimeZone::Change> changes{};
};

Result<Block> read_block(Numbers& numbers, const Counts& counts) {
    std::vector<seconds> at;
    std::vector<std::size_t> kinds;
    std::vector<seconds> offsets;
    for (std::size_t i = 0; i < counts.times; ++i) at.emplace_back(numbers.take(8));
    for (std::size_t i = 0; i < counts.times; ++i) {
        kinds.push_back(static_cast<std::size_t>(numbers.take(1)));
    }
    for (std::size_t i = 0; i < counts.types; ++i) {
        offsets.emplace_back(numbers.take(4));
        numbers.skip(2); // whether it is summer, and what it is called
    }
    numbers.skip(counts.letters + counts.leap * 12 + counts.standard + counts.ut);
    const bool far = std::ranges::any_of(offsets, [](seconds s) { return abs(s) > day_and_more; });
    const bool unknown =
        std::ranges::any_of(kinds, [&](std::size_t kind) { return kind >= offsets.size(); });
    if (!numbers.good() || offsets.empty() || far || unknown || !std::ranges::is_sorted(at)) {
        return fail(Errc::invalid, "the file of the time zone is damaged");
    }
    Block block{.first = offsets.front()};
    // Nanoseconds since 1970 end in the 17th century: what is older is of no use to anybody here.
    constexpr auto oldest = sys_days{1900y / January / 1};
    for (std::size_t i = 0; i < at.size(); ++i) {
        const sys_seconds time{at[i]};
        if (time < oldest) {
            block.first = offsets[kinds[i]];
        } else if (time < sys_days{year{last_year} / December / 31}) {
            block.changes.push_back({Timestamp{time}, offsets[kinds[i]]});
        }
    }
    return block;
}

// The rule in the last line says what happens after the last change.
Status follow_rule(std::string_view footer, Block& block) {
    if (!footer.starts_with('\n') || footer.find('\n', 1) == footer.npos) {
        return fail(Errc::invalid, "the file of the time zone ends too early");
    }
    const std::string_view text = footer.substr(1, footer.find('\n', 1) - 1);
    if (text.empty()) return {};
    const auto rule = TimeZoneRule::parse(text);
    if (!rule) return fail(rule.error());
    const Timestamp last =
        block.changes.empty() ? Timestamp{sys_days{1970y / January / 1}} : block.changes.back().at;
    const auto first_year = year_month_day{floor<days>(last)}.year();
    if (block.changes.empty()) block.first = rule->standard();
    for (year y = first_year; y <= year{last_year}; ++y) {
        for (const auto& [at, offset] : rule->changes_in(y)) {
            if (Timestamp{at} > last) block.changes.push_back({Timestamp{at}, offset});
        }
    }
    return {};
}

} // namespace

Status check_time_zone_name(std::string_view name) {
    const auto ordinary = [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '+' ||
               c == '/';
    };
    if (!name.empty() && name.size() <= name_max && is_letter(name.front()) && name.back() != '/' &&
        std::ranges::all_of(name, ordinary) && name.find("//") == name.npos) {
        return {};
    }
    return fail(
        Errc::invalid,
        fmt::format("'{}' is no name of a time zone, such as Europe/Berlin", name.substr(0, 80)));
}

Result<TimeZone> TimeZone::read(std::string name, std::string_view file) {
    Numbers numbers{file};
    auto counts = read_counts(numbers);
    if (!counts) return fail(counts.error());
    const char version = file[4];
    if (version < '2' || !numbers.skip(size_of(*counts, 4))) {
        return fail(Errc::invalid, "the file of the time zone is of the first version, or damaged");
    }
    counts = read_counts(numbers); // the same again with longer numbers
    if (!counts) return fail(counts.error());
    if (counts->leap != 0) return fail(Errc::invalid, "a time zone with leap seconds is not UTC's");
    auto block = read_block(numbers, *counts);
    if (!block) return fail(block.error());
    if (auto ok = follow_rule(numbers.rest(), *block); !ok) return fail(ok.error());
    TimeZone zone;
    zone.name_ = std::move(name);
    zone.first_offset_ = block->first;
    zone.changes_ = std::move(block->changes);
    return zone;
}

std::vector<TimeZone::Change>::const_iterator TimeZone::change_after(Timestamp time) const {
    return std::ranges::upper_bound(changes_, time, {}, &Change::at);
}

seconds TimeZone::offset_at(Timestamp time) const {
    const auto next = change_after(time);
    return next == changes_.begin() ? first_offset_ : std::prev(next)->offset;
}

local_seconds TimeZone::to_local(Timestamp time) const {
    return local_seconds{floor<seconds>(time.time_since_epoch()) + offset_at(time)};
}

TimeZone::Shown TimeZone::when(local_seconds time) const {
    const auto as_utc = Timestamp{time.time_since_epoch()};
    seconds offset = offset_at(as_utc - day_and_more);
    const Timestamp before = as_utc - offset;
    Shown shown{before, before};
    bool found = offset_at(before) == offset;
    for (auto change = change_after(as_utc - day_and_more);
         change != changes_.end() && change->at <= as_utc + day_and_more; ++change) {
        const Timestamp after = as_utc - change->offset;
        if (offset_at(after) == change->offset) {
            if (!found) shown.first = after;
            shown.last = after;
            found = true;
        } else if (!found && before >= change->at && after < change->at) {
            return {change->at, change->at};
        }
    }
    return shown;
}

} // namespace hive
