#include "store/backup.hpp"
#include "store/backup_file.hpp"
#include "store/dialect.hpp"
#include "store/migration.hpp"
#include "store/wait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace hive::store {
namespace {

constexpr Duration restore_within = std::chrono::hours{6};

// Rows of one table on their way into the store, several per statement: on PostgreSQL each
// statement is a round trip.
class Inserter {
public:
    Inserter(Session& session, std::vector<Table> tables)
        : session_{session}, tables_{std::move(tables)} {}

    Status begin(const Table& table);
    Status add(const json::array& row);
    Status flush();
    std::int64_t tables() const { return begun_; }
    std::int64_t rows() const { return rows_; }

private:
    static constexpr std::size_t batch_rows = 64;

    Result<Value> value_of(const json::value& column);

    Session& session_;
    const std::vector<Table> tables_; // that exist
    Table table_{};
    std::deque<std::string> owned_; // what the values borrow; a deque never moves its elements
    std::vector<Value> values_;
    std::int64_t begun_ = 0;
    std::int64_t rows_ = 0;
};

Status Inserter::begin(const Table& table) {
    if (auto ok = flush(); !ok) return ok;
    const auto known = std::ranges::find(tables_, table.name, &Table::name);
    // Names from a file never become SQL unless they are names of ours.
    if (known == tables_.end() || !std::ranges::is_permutation(known->columns, table.columns)) {
        return fail(
            Errc::invalid,
            fmt::format("the backup's table '{}' is not one of its schema version", table.name));
    }
    table_ = table;
    ++begun_;
    return {};
}

Result<Value> Inserter::value_of(const json::value& column) {
    switch (column.kind()) {
    case json::kind::null: return Value{Null{}};
    case json::kind::int64: return Value{column.get_int64()};
    case json::kind::double_: return Value{column.get_double()};
    case json::kind::string:
        return Value{std::string_view{owned_.emplace_back(column.get_string())}};
    case json::kind::object: {
        const auto* hex = column.get_object().if_contains("blob");
        auto bytes =
            hex != nullptr && hex->is_string() ? from_hex(hex->get_string()) : std::nullopt;
        if (bytes) return Value{bytes_of(owned_.emplace_back(std::move(*bytes)))};
        break;
    }
    default: break;
    }
    return fail(
        Errc::invalid, fmt::format("row {} of '{}' holds a bad value", rows_ + 1, table_.name));
}

Status Inserter::add(const json::array& row) {
    if (row.size() != table_.columns.size()) {
        return fail(
            Errc::invalid, fmt::format(
                               "row {} of '{}' has {} columns instead of {}", rows_ + 1,
                               table_.name, row.size(), table_.columns.size()));
    }
    for (const auto& column : row) {
        auto value = value_of(column);
        if (!value) return fail(value.error());
        values_.push_back(*value);
    }
    ++rows_;
    return values_.size() >= batch_rows * table_.columns.size() ? flush() : Status{};
}

Status Inserter::flush() {
    if (values_.empty()) return {};
    std::string sql =
        fmt::format("INSERT INTO {} ({}) VALUES ", table_.name, fmt::join(table_.columns, ", "));
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const std::size_t column = i % table_.columns.size();
        const bool last = column + 1 == table_.columns.size();
        sql += fmt::format(
            "{}${}{}", column == 0 ? (i == 0 ? "(" : ", (") : ", ", i + 1, last ? ")" : "");
    }
    const auto inserted = session_.execute(sql, values_);
    values_.clear();
    owned_.clear();
    if (!inserted) return fail(inserted.error());
    return {};
}

Status refuse_contents(Session& session, const std::vector<Table>& tables) {
    for (const auto& table : tables) {
        bool empty = true;
        auto read =
            session.query(fmt::format("SELECT 1 FROM {} LIMIT 1", table.name), {}, [&](const Row&) {
                empty = false;
            });
        if (!read) return read;
        if (!empty) {
            return fail(
                Errc::conflict,
                fmt::format(
                    "the store is not empty ('{}' holds rows); restore into a new one, or force it "
                    "to replace what is there",
                    table.name));
        }
    }
    return {};
}

// Dropping is the one way past the tables that cannot be deleted from.
Status make_room(Session& session, Engine engine, Overwrite overwrite) {
    const auto tables = our_tables(session, engine);
    if (!tables) return fail(tables.error());
    if (overwrite == Overwrite::never) {
        if (auto ok = refuse_contents(session, *tables); !ok) return ok;
    }
    for (const auto& table : *tables) {
        if (auto ok = session.execute(fmt::format("DROP TABLE {}", table.name), {}); !ok) {
            return fail(ok.error());
        }
    }
    if (auto ok = session.execute("DROP TABLE IF EXISTS store_migration", {}); !ok) {
        return fail(ok.error());
    }
    return {};
}

Status copy_rows(BackupReader& in, Inserter& inserter) {
    bool any_table = false;
    for (;;) {
        auto next = in.next();
        if (!next) return fail(next.error());
        if (std::holds_alternative<BackupEnd>(*next)) return inserter.flush();
        Status ok{};
        if (const auto* table = std::get_if<Table>(&*next)) {
            any_table = true;
            ok = inserter.begin(*table);
        } else if (any_table) {
            ok = inserter.add(std::get<BackupRow>(*next).columns);
        } else {
            ok = fail(Errc::invalid, "the backup has a row before its first table");
        }
        if (!ok) return ok;
    }
}

Result<BackupReport> read_all(Session& session, Engine engine, BackupReader& in) {
    const auto newest = static_cast<std::int64_t>(migrations().size());
    if (in.schema() > newest) {
        return fail(
            Errc::conflict, fmt::format(
                                "the backup has schema version {}, this program knows versions up "
                                "to {}; restore it with the newer program",
                                in.schema(), newest));
    }
    if (auto ok = apply_migrations(session, engine, migrations(), in.schema()); !ok) {
        return fail(ok.error());
    }
    if (auto ok = session.execute(dialect_of(engine).defer_keys, {}); !ok) return fail(ok.error());
    auto tables = our_tables(session, engine);
    if (!tables) return fail(tables.error());
    Inserter inserter{session, std::move(*tables)};
    if (auto ok = copy_rows(in, inserter); !ok) return fail(ok.error());
    // PostgreSQL alters no table that has checks outstanding.
    if (auto ok = session.execute(dialect_of(engine).check_keys, {}); !ok) return fail(ok.error());
    if (auto ok = apply_migrations(session, engine, migrations(), newest); !ok) {
        return fail(ok.error());
    }
    return BackupReport{newest, inserter.tables(), inserter.rows()};
}

} // namespace

Result<BackupReport>
restore(Database& database, const std::filesystem::path& file, Overwrite overwrite) {
    return write_for(
        database,
        [&](Session& session) -> Result<BackupReport> {
            auto in = BackupReader::open(file);
            if (!in) return fail(in.error());
            const Engine engine = database.engine();
            if (auto ok = make_room(session, engine, overwrite); !ok) return fail(ok.error());
            return read_all(session, engine, *in);
        },
        restore_within);
}

} // namespace hive::store
