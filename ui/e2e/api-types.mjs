// node api-types.mjs <file>: the types of the API, from the description of a server of this build.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Hive } from './hive.mjs';

const here = dirname(fileURLToPath(import.meta.url));

export async function writeApiTypes(hive, file) {
  const described = join(hive.directory, 'openapi.json');
  writeFileSync(described, await (await fetch(`${hive.url}/api/openapi.json`)).text());
  const tool = join(here, '../node_modules/openapi-typescript/bin/cli.js');
  execFileSync(process.execPath, [tool, described, '-o', file], { stdio: 'pipe' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const hive = await new Hive().start();
  try {
    await writeApiTypes(hive, resolve(process.argv[2]));
  } finally {
    await hive.stop();
  }
}
