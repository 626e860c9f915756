// A RabbitMQ of our own, on free ports and in a directory that goes with it.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { until } from './browser.mjs';

function freePort() {
  return new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

// A broker that accepts connections answers a wrong protocol header with its own.
function speaks(port) {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('HELLO\0\0\0'));
    socket.once('data', (data) => {
      done(data.subarray(0, 4).toString() === 'AMQP');
      socket.destroy();
    });
    socket.once('error', () => done(false)).once('close', () => done(false));
  });
}

function gone(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => child.once('exit', done));
}

export class Rabbit {
  async start() {
    this.directory = mkdtempSync(join(tmpdir(), 'hive-rabbit-'));
    const at = (name) => join(this.directory, name);
    const [port, epmd, distribution] = [await freePort(), await freePort(), await freePort()];
    mkdirSync(at('log'));
    writeFileSync(at('plugins'), '[].\n');
    writeFileSync(at('rabbitmq.conf'), `listeners.tcp.local = 127.0.0.1:${port}\ndisk_free_limit.absolute = 1MB\n`);
    // In the foreground and ours: the one that Erlang would start stays behind.
    this.names = spawn('epmd', ['-port', String(epmd), '-address', '127.0.0.1'], { stdio: 'ignore' });
    this.server = spawn('/usr/lib/rabbitmq/bin/rabbitmq-server', {
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        HOME: this.directory,
        ERL_EPMD_PORT: String(epmd),
        ERL_EPMD_ADDRESS: '127.0.0.1',
        RABBITMQ_NODENAME: `${basename(this.directory)}@localhost`,
        RABBITMQ_DIST_PORT: String(distribution),
        RABBITMQ_MNESIA_BASE: at('data'),
        RABBITMQ_LOG_BASE: at('log'),
        RABBITMQ_ENABLED_PLUGINS_FILE: at('plugins'),
        RABBITMQ_CONFIG_FILE: at('rabbitmq.conf'),
        RABBITMQ_PID_FILE: at('pid'),
        RABBITMQ_CONF_ENV_FILE: at('none'),
        RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
        // Makes the script exec the server instead of watching it, so that its process is ours.
        RUNNING_UNDER_SYSTEMD: 'true',
      },
    });
    await until(() => speaks(port), 'RabbitMQ speaks', 180_000);
    this.url = `amqp://guest:guest@127.0.0.1:${port}/%2f`;
    return this;
  }

  async stop() {
    if (this.directory === undefined) return;
    this.server?.kill('SIGKILL');
    this.names?.kill('SIGKILL');
    for (const child of [this.server, this.names]) if (child !== undefined) await gone(child);
    rmSync(this.directory, { recursive: true, force: true });
  }
}
