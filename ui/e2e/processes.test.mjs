// Bees that are processes of their own, on a real broker: what can happen to a process, as a browser shows it.
import { readdirSync, readFileSync } from 'node:fs';
import { after, afterEach, before, test } from 'node:test';
import { accessible, clean, openBrowser, until, watchedPage } from './browser.mjs';
import { Hive } from './hive.mjs';
import { Rabbit } from './rabbit.mjs';

const rabbit = new Rabbit();
let hive;
let browser;
let admin;
const held = new Set();

// The process of a bee of ours: told its name and our broker by its environment.
function pidOf(instance) {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      if (words.includes(`POCKETHIVE_CONTROL_PLANE_INSTANCE_ID=${instance}`) && words.includes(`HIVE_BROKER_URL=${rabbit.url}`)) return Number(pid);
    } catch {
      // It has gone meanwhile, or is somebody else's.
    }
  }
  throw new Error(`no process is ${instance}`);
}
function hold(instance) {
  const pid = pidOf(instance);
  process.kill(pid, 'SIGSTOP');
  held.add(pid);
}
function resume() {
  for (const pid of held) process.kill(pid, 'SIGCONT');
  held.clear();
}

before(async () => {
  await rabbit.start();
  hive = new Hive(['--broker', rabbit.url, '--swarm-bee-silent-after', '3s', '--swarm-bee-stale-after', '2s']);
  await hive.start();
  browser = await openBrowser();
  admin = await watchedPage(browser);
  await admin.page.goto(hive.link);
  await admin.page.getByRole('heading', { name: 'No swarm yet' }).waitFor();
  await hive.ask('POST', '/swarms?wait=60s', { id: 'fragile', scenario: 'hello', sut: 'local', autoStart: true });
});
// Also when a test fails halfway: a process that sleeps would fail those that follow.
afterEach(resume);
after(async () => {
  await browser?.close();
  // Processes outlive their server: nothing of ours stays behind.
  if (hive?.url !== undefined) await hive.ask('DELETE', '/swarms/fragile?wait=60s').catch(() => undefined);
  await hive?.stop();
  await rabbit.stop();
});

test('a bee that stops to report goes stale on the page of its swarm, and comes back', async () => {
  const { page } = admin;
  await page.goto(`${hive.url}/swarms/fragile`);
  const node = page.locator('.react-flow__node[data-id=processor] .bee-node');
  await node.getByText('healthy').waitFor();
  hold('fragile-processor-1');
  await node.getByText('stale').waitFor();
  await page.locator('.bee-node.warn').waitFor();
  await page.getByText('fragile-processor-1 is silent').waitFor();
  await page.locator('.title-row .badge', { hasText: 'Degraded' }).waitFor();
  await accessible(admin, 'a swarm with a stale bee');
  await page.getByRole('navigation', { name: 'Parts of this swarm' }).getByRole('link', { name: /^Bees/ }).click();
  const row = page.getByRole('row', { name: /fragile-processor-1/ });
  await row.getByText('Stale').waitFor();
  // Also for somebody who comes later, and never heard it.
  await page.reload();
  await row.getByText('Stale').waitFor();
  await row.getByText(/\d+ s ago/).waitFor();
  await accessible(admin, 'the bees of a swarm, one of them stale');
  await page.goto(`${hive.url}/bees`);
  await page.getByText('processor is stale').waitFor();
  await page.goto(`${hive.url}/swarms/fragile`);
  await node.getByText('stale').waitFor();
  resume();
  await node.getByText('healthy').waitFor();
  await page.getByText('fragile-processor-1 is silent').waitFor({ state: 'detached' });
  clean(admin);
});

test('a start that its controller is not ready for says why, and goes on when it is', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('fragile is stopped').waitFor();
  hold('fragile-processor-1');
  // One bee cannot take the change: the controller refuses to start as long as that is open.
  await hive.ask('POST', '/swarms/fragile/config', { note: 'while one of them sleeps' });
  await until(async () => (await hive.ask('GET', '/swarms/fragile')).aggregate.pendingConfigUpdates === true, 'the change is pending');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Starting…').waitFor();
  await page.getByText('Not ready: a change of settings is still under way.').waitFor();
  await accessible(admin, 'a swarm that is not ready');
  resume();
  await page.getByText('fragile is started').waitFor();
  await page.locator('.title-row .badge', { hasText: 'Running' }).waitFor();
  await page.getByText('Not ready:').waitFor({ state: 'detached' });
  clean(admin);
});

test('a bee that is killed is told with how it ended', async () => {
  const { page } = admin;
  process.kill(pidOf('fragile-processor-1'), 'SIGKILL');
  await page.getByText(/fragile-processor-1: .*SIGKILL/).waitFor();
  await page.locator('.title-row .badge', { hasText: 'Degraded' }).waitFor();
  await accessible(admin, 'a swarm that lost a bee');
  clean(admin);
});
