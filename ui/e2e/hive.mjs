// A hive and a system under test of our own, on free ports and in a directory that goes with them.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// The sources may lie in a build directory: the project is above, where the program is said to be.
export const program = resolve(process.env.HIVE_PROGRAM ?? join(dirname(fileURLToPath(import.meta.url)), '../../build/bin/hive'));
export const scenarios = resolve(process.env.HIVE_SCENARIOS ?? join(dirname(fileURLToPath(import.meta.url)), '../../scenarios'));

function spoken(child, pattern, what) {
  return new Promise((done, fail) => {
    let text = '';
    const timer = setTimeout(() => fail(new Error(`${what} said nothing useful within 90 s: ${text}`)), 90_000);
    child.on('exit', (code) => fail(new Error(`${what} ended with ${code}: ${text}`)));
    const hear = (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found === null) return;
      clearTimeout(timer);
      done(found[1]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
  });
}

function ended(child) {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done();
    child.on('exit', () => done());
    child.kill('SIGTERM');
    // Never keep a test machine busy: who does not go is made to.
    setTimeout(() => child.kill('SIGKILL'), 15_000).unref();
  });
}

export class Hive {
  // `more`: further words for `hive up`; `files`: it runs beside this directory, `.deia` in it.
  constructor(more = [], files = undefined) {
    this.more = more;
    this.directory = mkdtempSync(join(tmpdir(), 'hive-ui-'));
    this.port = 0;
    if (files === undefined) return;
    this.beside = join(this.directory, 'repository');
    this.deia = join(this.beside, '.deia');
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  // A file below `.deia`, as a bee writes it that knows nothing else.
  write(path, text) {
    mkdirSync(dirname(join(this.deia, path)), { recursive: true });
    writeFileSync(join(this.deia, path), text);
  }

  async start() {
    this.mock = spawn(program, ['mock', '--http', '0', '--delay', '4ms', '--error-ratio', '0.5%'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const mock = await spoken(this.mock, /(http:\/\/[\d.:]+)/, 'hive mock');
    cpSync(scenarios, join(this.directory, 'scenarios'), { recursive: true });
    for (const name of readdirSync(join(this.directory, 'scenarios'))) {
      const file = join(this.directory, 'scenarios', name, 'sut/local/sut.yaml');
      if (!existsSync(file) || !statSync(file).isFile()) continue;
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll('http://127.0.0.1:8089', mock));
    }
    await this.startServer();
    return this;
  }

  async startServer() {
    const args = ['up', '--port', String(this.port), '--data', join(this.directory, 'data')];
    args.push('--scenarios', join(this.directory, 'scenarios'), '--swarm-bee-status-every', '1s', '--swarm-status-every', '1s', ...this.more);
    this.server = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: this.beside });
    this.link = await spoken(this.server, /(http:\/\/\S+\/auth\/link\S+)/, 'hive up');
    this.url = new URL(this.link).origin;
    this.port = Number(new URL(this.link).port);
  }

  async stopServer() {
    await ended(this.server);
  }

  key(role) {
    const args = ['key', 'create', '--role', role, '--data', join(this.directory, 'data'), '--json'];
    return JSON.parse(execFileSync(program, args, { encoding: 'utf8' })).key;
  }

  // A key of a bee: what it says and does is in its own name.
  async bee(owner) {
    return (await this.ask('POST', '/keys', { owner, role: 'bee' })).key;
  }

  // Asks the API beside the browser, with a key of an administrator or the one given.
  async ask(method, path, body, key = (this.admin ??= this.key('admin'))) {
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    const answer = text === '' ? undefined : JSON.parse(text);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return answer;
  }

  async stop() {
    if (this.server !== undefined) await ended(this.server);
    if (this.mock !== undefined) await ended(this.mock);
    rmSync(this.directory, { recursive: true, force: true });
  }
}
