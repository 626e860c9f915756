#!/usr/bin/env node
// A bee in plain Node: every text that passes becomes upper case, with `suffix` from its
// configuration behind it. docs/guides/custom-bees.md explains each part.
'use strict';

const amqp = require('amqplib');

const swarm = required('POCKETHIVE_CONTROL_PLANE_SWARM_ID');
const role = required('POCKETHIVE_CONTROL_PLANE_ROLE');
const instance = required('POCKETHIVE_CONTROL_PLANE_INSTANCE_ID');
const ports = JSON.parse(required('POCKETHIVE_WORK_PORTS'));
const controlExchange = 'ph.control';
const controlQueue = `ph.control.${swarm}.${role}.${instance}`;
const scope = { swarmId: swarm, role, instance };
const startedAt = new Date();
const statusEveryMs = 1000;

const state = {
  enabled: false,
  config: {},
  lastConfig: '', // which config-update this bee reflects: what its controller waits for
  processed: 0,
  processedBefore: 0,
  answered: new Set(), // correlation ids, since delivery is at least once
};

function required(name) {
  const value = process.env[name];
  if (value) return value;
  console.error(`${name} is not set; a swarm's controller launches this program`);
  process.exit(2);
}

// RFC 7396: objects merge, null removes, anything else replaces.
function merge(target, patch) {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch;
  const base = target !== null && typeof target === 'object' && !Array.isArray(target) ? target : {};
  const out = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = merge(out[key], value);
  }
  return out;
}

function problemOf(config) {
  if (config.suffix === undefined || typeof config.suffix === 'string') return null;
  return 'config.suffix: expected a text';
}

class Bee {
  constructor(control, work) {
    this.control = control; // a channel each, so that full work queues never delay a command
    this.work = work;
    this.consumers = [];
  }

  async open() {
    await this.control.assertExchange(controlExchange, 'topic', { durable: true });
    await this.control.assertQueue(controlQueue, { durable: false });
    const targets = [`${swarm}.${role}.${instance}`, `${swarm}.${role}.ALL`, `${swarm}.ALL.ALL`];
    for (const target of targets) {
      for (const command of ['config-update', 'status-request']) {
        await this.control.bindQueue(controlQueue, controlExchange, `signal.${command}.${target}`);
      }
    }
    await this.control.consume(controlQueue, (message) => {
      if (!message) return;
      this.hear(message).then(
        () => this.control.ack(message),
        (error) => {
          console.error('a command failed:', error);
          process.exit(1); // its controller starts it anew, where its restart policy says so
        },
      );
    });
    this.sayStatus('status-full');
    this.timer = setInterval(() => this.sayStatus('status-delta'), statusEveryMs);
  }

  say(kind, type, data, signal) {
    const family = kind === 'signal' ? 'signal' : `event.${kind}`;
    const envelope = {
      timestamp: new Date().toISOString(),
      version: '1',
      kind,
      type,
      origin: `${role}:${instance}`,
      scope,
      correlationId: signal ? signal.correlationId : null,
      idempotencyKey: signal ? signal.idempotencyKey : null,
      data,
    };
    this.control.publish(
      controlExchange,
      `${family}.${type}.${swarm}.${role}.${instance}`,
      Buffer.from(JSON.stringify(envelope)),
      { contentType: 'application/json' },
    );
  }

  sayStatus(type) {
    const since = state.processed - state.processedBefore;
    state.processedBefore = state.processed;
    const context = { lastConfig: state.lastConfig, work: { processed: state.processed } };
    if (state.configError) context.configError = state.configError;
    const data = {
      enabled: state.enabled,
      tps: Math.round(since / (statusEveryMs / 1000)),
      ioState: { work: { input: 'ok', output: 'ok' } },
      context,
    };
    if (type === 'status-full') {
      const out = Object.values(ports.out);
      data.startedAt = startedAt.toISOString();
      data.config = state.config;
      data.io = {
        work: { queues: { in: Object.values(ports.in), out, routes: out }, queueStats: {} },
        control: { queues: { in: [controlQueue], out: [], routes: [] } },
      };
    }
    this.say('metric', type, data);
  }

  async hear(message) {
    const signal = JSON.parse(message.content.toString());
    // What was said before this start was meant for an earlier life.
    if (new Date(signal.timestamp) < startedAt) return;
    if (signal.type === 'status-request') return this.sayStatus('status-full');
    if (signal.type !== 'config-update' || state.answered.has(signal.correlationId)) return;
    state.answered.add(signal.correlationId);
    if (state.answered.size > 1000) state.answered.delete(state.answered.values().next().value);

    const { enabled, ...patch } = signal.data;
    const config = merge(state.config, patch);
    const reason = problemOf(config);
    if (reason) {
      state.configError = { correlationId: signal.correlationId, reason };
      this.sayStatus('status-full');
      return this.answer(signal, { status: 'Failed', retryable: false, context: { reason } });
    }
    state.config = config;
    delete state.configError;
    if (typeof enabled === 'boolean') await this.setEnabled(enabled);
    state.lastConfig = signal.correlationId;
    this.sayStatus('status-full');
    this.answer(signal, { status: 'Applied', enabled: state.enabled });
  }

  // Only whoever was addressed alone answers; for many the controller does.
  answer(signal, data) {
    if (signal.scope.instance === instance) this.say('outcome', 'config-update', data, signal);
  }

  async setEnabled(enabled) {
    if (state.enabled === enabled) return;
    state.enabled = enabled;
    if (!enabled) {
      for (const tag of this.consumers.splice(0)) await this.work.cancel(tag);
      return;
    }
    for (const queue of Object.values(ports.in)) {
      const { consumerTag } = await this.work.consume(queue, (message) => this.take(message));
      this.consumers.push(consumerTag);
    }
  }

  take(message) {
    if (!message) return;
    const receivedAt = new Date().toISOString();
    let item;
    try {
      item = this.made(JSON.parse(message.content.toString()), receivedAt);
    } catch (error) {
      // Trying again would not help: the queue's policy sends it to the dead letters.
      console.error('an item is refused:', error.message);
      return this.work.nack(message, false, false);
    }
    ++state.processed;
    const out = Object.values(ports.out)[0];
    if (!out) return this.work.ack(message);
    const options = { persistent: true, contentType: 'application/json', mandatory: true };
    // Acknowledged only once the broker has what it became: at least once, never lost.
    this.work.publish(ports.exchange, out, Buffer.from(JSON.stringify(item)), options, (error) =>
      error ? this.work.nack(message) : this.work.ack(message),
    );
  }

  made(item, receivedAt) {
    const last = item.steps[item.steps.length - 1];
    if (last.payloadEncoding !== 'utf-8') throw new Error('the payload is not text');
    item.steps.push({
      index: item.steps.length,
      payload: last.payload.toUpperCase() + (state.config.suffix || ''),
      payloadEncoding: 'utf-8',
      headers: { 'ph.step.service': role, 'ph.step.instance': instance },
    });
    item.observability.hops.push({
      service: role,
      instance,
      receivedAt,
      processedAt: new Date().toISOString(),
    });
    return item;
  }

  async close() {
    clearInterval(this.timer);
    await this.setEnabled(false);
    await this.work.waitForConfirms();
    await this.work.close();
    await this.control.close();
  }
}

async function main() {
  const connection = await amqp.connect(required('HIVE_BROKER_URL'));
  connection.on('error', (error) => console.error('broker:', error.message));
  connection.on('close', () => process.exit(1)); // its controller starts it anew
  const work = await connection.createConfirmChannel();
  await work.prefetch(256);
  const bee = new Bee(await connection.createChannel(), work);
  await bee.open();
  process.once('SIGTERM', () => {
    connection.removeAllListeners('close');
    bee.close().then(
      () => process.exit(0),
      (error) => {
        console.error('not closed in order:', error.message);
        process.exit(1);
      },
    );
  });
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
