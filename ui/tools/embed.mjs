// node embed.mjs <dist> <name>: writes <name>.S, which holds every file of the directory, plain and
// compressed, and <name>.cpp, which says under which path each of them is served.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

const [dist, name] = process.argv.slice(2);
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};
const packed = resolve(`${name}.gz`);
rmSync(packed, { recursive: true, force: true });
mkdirSync(packed);

const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => resolve(join(entry.parentPath ?? entry.path, entry.name)))
  .sort();

const assembly = ['.section .note.GNU-stack,"",%progbits', '.section .rodata'];
const declarations = [];
const rows = [];
const embed = (symbol, path) => {
  assembly.push('.balign 16', `.globl ${symbol}`, `${symbol}:`, `.incbin ${JSON.stringify(path)}`);
  assembly.push(`.size ${symbol}, . - ${symbol}`);
  declarations.push(`extern const char ${symbol}[];`);
};
files.forEach((path, index) => {
  const type = types[extname(path)];
  if (!type) throw new Error(`${path}: no content type is known for this kind of file`);
  const bytes = readFileSync(path);
  const small = gzipSync(bytes, { level: 9 });
  const worth = small.length < bytes.length * 0.9;
  embed(`hive_dashboard_${index}`, path);
  let compressed = '{}';
  if (worth) {
    const packedPath = join(packed, String(index));
    writeFileSync(packedPath, small);
    embed(`hive_dashboard_${index}_gz`, packedPath);
    compressed = `{hive_dashboard_${index}_gz, ${small.length}}`;
  }
  const served = '/' + relative(resolve(dist), path);
  rows.push(`    {"${served}", "${type}", {hive_dashboard_${index}, ${bytes.length}}, ${compressed}},`);
});

writeFileSync(`${name}.S`, assembly.join('\n') + '\n');
writeFileSync(`${name}.cpp`, `#include "cli/dashboard.hpp"

#include <array>

extern "C" {
${declarations.join('\n')}
}

namespace hive::cli {

std::span<const api::AssetFile> dashboard_files() {
    static constexpr std::array<api::AssetFile, ${rows.length}> files{{
${rows.map((row) => '    ' + row).join('\n')}
    }};
    return files;
}

} // namespace hive::cli
`);
