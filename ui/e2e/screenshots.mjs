// node screenshots.mjs <directory>: every page, wide and narrow, light and dark, of a hive at work.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { openBrowser } from './browser.mjs';
import { Hive } from './hive.mjs';
import { smallPng } from './small-png.mjs';

const target = resolve(process.argv[2] ?? 'docs/screenshots');
const only = process.argv[3];
const swarms = [
  { id: 'checkout', scenario: 'buffer-guard', notes: 'Queue before the payment gateway', set: { 'generator.inputs.scheduler.ratePerSec': 40 } },
  { id: 'search-ramp', scenario: 'ramp-to-knee', notes: 'Where is the knee this week?' },
  { id: 'signup-errors', scenario: 'error-injection' },
  { id: 'nightly-hello', scenario: 'hello', set: { 'generator.inputs.scheduler.maxMessages': 1_000_000 } },
  { id: 'ticket-sale', scenario: 'spike' },
  { id: 'two-shops', scenario: 'two-generators' },
];
const pages = [
  ['swarms', '/swarms', '.swarm-row .name-link'],
  ['swarm', '/swarms/checkout', '.bee-node'],
  ['swarm-bees', '/swarms/checkout/bees', 'tbody tr'],
  ['swarm-plan', '/swarms/checkout/plan', '.lane'],
  ['swarm-journal', '/swarms/checkout/journal', 'tbody tr'],
  ['scenarios', '/scenarios', '.cards .card'],
  ['scenario', '/scenarios/buffer-guard', '.editor-host .cm-line'],
  ['scenario-graph', '/scenarios/buffer-guard/graph', '.bee-node'],
  ['runs', '/runs', 'tbody tr'],
  ['run', () => `/runs/${ids.before}`, '.report-foot'],
  ['compare', () => `/runs/compare?a=${ids.before}&b=${ids.after}`, '.compare-table'],
  ['feed', '/feed', '.feed-item'],
  ['tasks', '/tasks', '.task-card'],
  ['task', '/tasks/TASK-3', '.message'],
  ['approvals', '/approvals', '.approval-card'],
  ['approval', () => `/approvals/${ids.approval}`, '.evidence li'],
  ['bees', '/bees', '.bee-card'],
  ['bee', '/bees/forager', '.message'],
  ['channels', '/channels/general', '.message'],
  ['costs', '/costs', '.amounts li'],
  ['files', '/files', '.pass-list li'],
  ['audit', '/audit', 'tbody tr'],
  ['settings', '/settings', 'tbody tr'],
  ['settings-keys', '/settings/keys', 'tbody tr'],
  ['settings-rules', '/settings/rules', 'tbody tr'],
  ['settings-prices', '/settings/prices', 'tbody tr'],
  ['settings-webhooks', '/settings/webhooks', 'tbody tr'],
  ['webhook', () => `/settings/webhooks/${ids.webhook}`, '.panel[aria-label=Deliveries] tbody tr'],
];
// What only the hive knows the names of.
const ids = {};
// What bees have written that know nothing but files; one line and one link are not as they should be.
const written = {
  'hive/tasks/BOT-002/2026-01-05-0900-Q33N-BOT-002-TASK-fixtures.md': '# Renew the fixtures of the nightly run\n\n**From:** Q33N\n**To:** BOT-002\n**Priority:** P2\n\nThose of last year are still in use.\n',
  'hive/tasks/2026-01-05-0915-Q33N-BOT-003-TASK-gateway.md': '# Write down how the gateway is reset\n\n**From:** Q33N\n**To:** BOT-003\n',
  'hive/coordination/2026-01-05-0930-BOT-002-Q33N-SYNC-fixtures.md': '# Half of them are renewed\n\n**From:** BOT-002\n**To:** Q33N\n\nThe rest waits for the new certificates.\n',
  'hive/heartbeats/BOT-002-heartbeat.yaml': 'agent_id: BOT-002\nstatus: WORKING\n',
  'bot-logs/BOT-002-activity.jsonl': '{"ts":"2026-01-05T09:20:00Z","agent_id":"BOT-002","event":"started"}\nwho wrote this line?\n',
};

// A colony at work: tasks in every column, made and held by several bees.
const keys = {};
async function settle(hive) {
  for (const name of ['forager', 'builder', 'scout', 'nurse']) keys[name] = await hive.bee(name);
  const as = (name, path, body) => hive.ask('POST', path, body, keys[name]);
  await hive.ask('POST', '/tasks/bulk', {
    tasks: [
      { title: 'Find the knee of the search service', priority: 1, tags: ['perf', 'search'] },
      { title: 'Write down what the checkout promises', tags: ['docs'] },
      { title: 'Measure the checkout under load', description: 'Ramp to 400 requests a second against staging, hold for ten minutes.\nTell the rate at which p99 leaves 250 ms.', priority: 0, tags: ['perf', 'checkout'], skills: ['perf'], dependsOn: ['TASK-2'] },
      { title: 'Compare with the release of last week', tags: ['perf'], dependsOn: ['TASK-3'] },
      { title: 'Renew the certificates of the mock gateway', priority: 1, tags: ['ops'] },
      { title: 'Replay the outage of Monday', tags: ['incident'], retry: { attempts: 1 } },
      { title: 'Rename the queues of the signup scenario', priority: 3 },
      { title: 'Trim the fixtures of the signup scenario', priority: 4, tags: ['tidy'] },
      { title: 'Add a profile for the ticket sale', tags: ['scenario'], assignedTo: 'nurse' },
      { title: 'Report of the nightly run', tags: ['report'], repeat: '0 6 * * *', notBefore: new Date(Date.now() + 9 * 3_600_000).toISOString() },
    ],
  });
  const take = async (name, task) => (await as(name, `/tasks/${task}/claim`, {})).lease.token;
  await as('builder', '/tasks/TASK-2/complete', { token: await take('builder', 'TASK-2'), note: 'p99 below 250 ms at 300/s', result: { p99Ms: 250, rate: 300 } });
  await as('scout', '/tasks/TASK-3/release', { token: await take('scout', 'TASK-3'), note: 'I have no access to staging' });
  await as('forager', '/tasks/TASK-3/progress', { token: await take('forager', 'TASK-3'), percent: 65, note: '320/s, p99 at 214 ms' });
  await take('scout', 'TASK-1');
  await as('builder', '/tasks/TASK-5/block', { token: await take('builder', 'TASK-5'), note: 'Needs the key of the test authority' });
  await as('builder', '/tasks/TASK-6/fail', { token: await take('builder', 'TASK-6'), error: 'the recording ends too early', retryable: false });
  await hive.ask('POST', '/tasks/TASK-8/cancel', {});
  await as('forager', '/bees/heartbeat', { status: 'MEASURING', skills: ['perf', 'http'] });
  await as('builder', '/bees/heartbeat', { status: 'STANDBY', skills: ['cpp', 'docs'], note: 'Waiting for a key' });
  await as('scout', '/bees/heartbeat', { status: 'LOOKING', skills: ['perf'] });
  await as('nurse', '/bees/heartbeat', { status: 'STANDBY', skills: ['scenario'] });
  await hive.ask('POST', '/bees/nurse/pause');
  await hive.ask('POST', '/tasks/TASK-3/comments', { text: 'Please hold at 320 for a while before going on.' });
  await hive.ask('POST', '/channels/bee:forager/messages', { content: 'Staging is yours until noon.' });
  const asked = await as('forager', '/channels/general/messages', { content: 'Staging will be under load for the next half hour.', tags: ['staging'], ackFrom: ['builder', 'scout'], ackWithin: '30m' });
  await as('builder', '/channels/general/messages', { content: 'Fine, I deploy afterwards.', replyTo: asked.id });
  await as('builder', `/messages/${asked.id}/ack`);
  await as('scout', '/channels/general/messages', { content: 'The search service is next. Does anybody have last week’s numbers?', type: 'request' });
  await as('builder', '/channels/release/messages', { content: 'Candidate 4 is on staging.' });
}

// What waits for somebody to agree, and who outside is told.
async function decide(hive) {
  const { scout, forager } = keys;
  const rule = (name, rank, match, stages) => hive.ask('POST', '/approval-rules', { name, rank, match, stages });
  await rule('Starts in production', 10, { acts: ['swarm.start'], swarms: ['prod-*'] }, [{ roles: ['human'], quorum: 2, within: '1h' }, { roles: ['admin'], within: '4h' }]);
  await rule('Releases are announced by people', 20, { acts: ['channel.post'], channels: ['release'], from: ['bee'] }, [{ roles: ['human'], within: '30m' }]);
  await hive.ask('POST', '/approval-rules', { name: 'Tidying needs nobody', rank: 5, effect: 'allow', match: { acts: ['task.*'], tags: ['tidy'] } });
  await hive.ask('POST', '/channels/general/messages', { content: 'Staging holds 320/s. The gateway team watches.' }, forager);
  await hive.ask('POST', '/channels/general/messages', { content: 'Last week the knee of search was at 480/s.' }, scout);
  const asked = await hive.ask('POST', '/approvals', {
    subject: 'May I ramp staging to 600 requests a second?', within: '2h',
    evidence: [
      { kind: 'text', title: 'Why', value: 'The knee was not reached at 400/s. The gateway team is informed and watches.' },
      { kind: 'json', title: 'Last step', value: { ratePerSec: 400, p99Ms: 214, failed: '0.1 %' } },
      { kind: 'link', title: 'Dashboard of the gateway', value: 'https://grafana.example/d/gateway?from=now-1h' },
    ],
  }, forager);
  ids.approval = asked.id;
  await hive.ask('POST', '/channels/release/messages', { content: 'Candidate 5 goes out at noon.' }, scout);
  const old = await hive.ask('POST', '/approvals', { subject: 'Delete the recordings of last year?', within: '2h' }, scout);
  await hive.ask('POST', `/approvals/${old.id}/decision`, { verdict: 'deny', comment: 'Kept until the audit is over.' });
  const fine = await hive.ask('POST', '/approvals', { subject: 'Rerun the nightly scenario with the new profile?', within: '2h' }, forager);
  await hive.ask('POST', `/approvals/${fine.id}/decision`, { verdict: 'approve' });
  const hook = (url, events, description, format) => hive.ask('POST', '/webhooks', { url, events, description, ...(format === undefined ? {} : { format }) });
  ids.webhook = (await hook(`http://localhost:${receiver.address().port}/hooks/build`, ['task.*', 'approval.*'], 'Starts the build when a release task is done')).id;
  await hook('https://discord.com/api/webhooks/1/abc', ['bee.silent', 'task.dead'], 'Tells the channel of the team', 'discord');
  await hive.ask('POST', `/webhooks/${ids.webhook}/test`);
  for (const title of ['Publish the numbers of this week', 'Archive the recordings']) await hive.ask('POST', '/tasks', { title, priority: 3 });
}

// A month of work: what four bees used of three models, more on some days than on others.
async function spend(hive) {
  for (const [model, input, output] of [['small-*', 0.8, 4], ['large-*', 3, 15], ['reader-1', 0.3, 1.2]]) {
    await hive.ask('POST', '/prices', { model, kind: 'input', micros: input * 1e6, from: '2020-01-01T00:00:00Z' });
    await hive.ask('POST', '/prices', { model, kind: 'output', micros: output * 1e6, from: '2020-01-01T00:00:00Z' });
  }
  const budget = (name, scope, limit, action) => hive.ask('POST', '/budgets', { name, scope, limit: limit * 1e6, action, period: 'day' });
  await budget('A day of a bee', 'bee', 4, 'stop');
  await budget('A day of the hive', 'hive', 20, 'warn');
  const bees = ['forager', 'builder', 'scout', 'nurse'];
  const models = ['large-2', 'small-1', 'reader-1'];
  const dayMs = 86_400_000;
  const noon = Math.floor(Date.now() / dayMs) * dayMs;
  let number = 0;
  for (let day = 29; day >= 0; day -= 1) {
    const weekend = [0, 6].includes(new Date(noon - day * dayMs).getUTCDay());
    for (const [index, bee] of bees.entries()) {
      if (weekend && index > 0) continue;
      number += 1;
      const much = (2 + ((number * 7) % 5)) * (index + 1) * (weekend ? 0.3 : 1);
      const at = new Date(Math.min(noon - day * dayMs + 10 * 3_600_000 + index * 600_000, Date.now() - 60_000)).toISOString();
      await hive.ask('POST', '/costs', { key: `use-${number}`, bee, task: `TASK-${1 + ((number * 2) % 9)}`, model: models[number % 3], at, tokens: { input: Math.round(much * 60_000), output: Math.round(much * 9_000) } });
    }
  }
}

// Two runs of one scenario that are over, the second with twice as much.
async function race(hive) {
  for (const [name, rate] of [['before', 25], ['after', 50]]) {
    await hive.ask('POST', '/swarms?wait=20s', { id: `checkout-${name}`, scenario: 'hello', sut: 'local', autoStart: true, notes: name === 'before' ? 'Release of last week' : 'With the new pool', set: { 'generator.inputs.scheduler.ratePerSec': rate } });
    ids[name] = (await hive.ask('GET', `/swarms/checkout-${name}`)).run;
  }
}

async function keep(page, name) {
  writeFileSync(join(target, name), smallPng(await page.screenshot()));
}

mkdirSync(target, { recursive: true });
// Somebody outside who listens, and is busy now and then.
let calls = 0;
const receiver = createServer((request, response) => {
  calls += 1;
  request.resume().on('end', () => response.writeHead(calls === 2 ? 503 : 200).end(calls === 2 ? 'busy, try again' : 'ok'));
});
await new Promise((done) => receiver.listen(0, '127.0.0.1', done));
const hive = await new Hive(['--colony-webhooks-allow', '127.0.0.1/32'], written).start();
const browser = await openBrowser();
try {
  for (const swarm of swarms) {
    await hive.ask('POST', '/swarms?wait=20s', { sut: 'local', ...swarm, autoStart: swarm.id !== 'two-shops' });
  }
  await hive.ask('POST', '/keys', { owner: 'ci-pipeline', role: 'human', validFor: '90d' });
  await hive.ask('POST', '/keys', { owner: 'grafana', role: 'readonly' });
  await race(hive);
  await settle(hive);
  await spend(hive);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(hive.link);
  // The charts show what happened while somebody looked.
  await page.goto(`${hive.url}/swarms/checkout`);
  await page.waitForSelector('.bee-node');
  await page.waitForTimeout(only === undefined ? 22_000 : 8000);
  for (const name of ['before', 'after']) {
    await hive.ask('POST', `/swarms/checkout-${name}/stop?wait=20s`);
    await hive.ask('DELETE', `/swarms/checkout-${name}?wait=20s`);
  }
  await decide(hive);
  for (const [name, path, ready] of pages) {
    if (only !== undefined && !only.split(',').includes(name)) continue;
    // Inside the application: a reload would begin the charts anew.
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, typeof path === 'string' ? path : path());
    await page.waitForSelector(ready);
    await page.waitForTimeout(400);
    if (name === 'audit') {
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByText('Nothing was changed').waitFor();
    }
    const tall = { swarm: 1400, compare: 1300, run: 1100 }[name] ?? 900;
    for (const [size, width, height] of [['wide', 1440, tall], ['phone', 390, 844]]) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.waitForTimeout(500);
        await keep(page, `${name}-${size}-${colorScheme}.png`);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  if (only === undefined || only.includes('create')) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${hive.url}/swarms`);
    await page.getByRole('button', { name: 'New swarm' }).click();
    await page.getByLabel('Scenario').selectOption('ramp-to-knee');
    await page.getByText('Nothing is wrong').waitFor();
    await keep(page, 'create-wide-light.png');
  }
  if (only === undefined || only.includes('sign-in')) {
    const guest = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await guest.goto(hive.url);
    await guest.getByText('Sign in to PocketHive').waitFor();
    await keep(guest, 'sign-in-phone-light.png');
  }
} finally {
  await browser.close();
  await hive.stop();
  receiver.close();
}
