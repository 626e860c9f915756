// The dashboard in a real browser, on a real hive of our own: what a person does in the first minutes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeApiTypes } from './api-types.mjs';
import { accessible, clean, openBrowser, watchedPage } from './browser.mjs';
import { Hive } from './hive.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const hive = new Hive();
let browser;
let admin;

before(async () => {
  await hive.start();
  browser = await openBrowser();
  admin = await watchedPage(browser);
});
after(async () => {
  await browser?.close();
  await hive.stop();
});

test('the types of the API are those that the server describes', async () => {
  const made = join(hive.directory, 'schema.d.ts');
  await writeApiTypes(hive, made);
  assert.ok(
    readFileSync(made, 'utf8') === readFileSync(join(here, '../src/api/schema.d.ts'), 'utf8'),
    'ui/src/api/schema.d.ts is not fresh: run tools/api-types',
  );
});

test('pages have a strict policy, files with a hash in their name are kept for good', async () => {
  const front = await fetch(`${hive.url}/swarms/any`);
  const policy = front.headers.get('content-security-policy');
  assert.match(policy, /script-src 'self'; style-src 'self';/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.equal(front.headers.get('cache-control'), 'no-cache');
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await front.text())[1];
  const file = await fetch(hive.url + script);
  assert.match(file.headers.get('cache-control'), /immutable/);
  assert.equal(file.headers.get('content-encoding'), 'gzip');
  for (const path of ['/device', '/sign-in.css', '/icon.svg']) assert.equal((await fetch(hive.url + path)).status, 200);
});

test('a stranger is told how to come in', async () => {
  const guest = await watchedPage(browser);
  await guest.page.goto(`${hive.url}/audit`);
  await guest.page.getByRole('heading', { name: 'Sign in to PocketHive' }).waitFor();
  await accessible(guest, 'the sign-in page');
  clean(guest);
  await guest.context.close();
});

test('the link signs in; the first view is small', async () => {
  let bytes = 0;
  admin.page.on('response', (response) => {
    if (response.url().includes('/assets/')) bytes += Number(response.headers()['content-length'] ?? 0);
  });
  await admin.page.goto(hive.link);
  await admin.page.getByRole('heading', { name: 'No swarm yet' }).waitFor();
  await admin.page.getByRole('status', { name: 'Connection: Live' }).first().waitFor();
  assert.ok(bytes > 0 && bytes < 600_000, `the first view is ${bytes} bytes`);
  console.log(`first view: ${bytes} bytes`);
  await accessible(admin, 'swarms without a swarm');
  clean(admin);
});

test('a swarm is made in the dialog, mistakes are shown in place, and its numbers move', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: 'New swarm' }).first().click();
  await page.getByLabel('Scenario').selectOption('buffer-guard');
  await page.getByText('Nothing is wrong with these choices.').waitFor();
  await page.getByRole('button', { name: 'Add a setting' }).click();
  await page.getByLabel('Setting 1', { exact: true }).fill('nobody.rate');
  await page.getByText("there is no bee 'nobody'").waitFor();
  assert.ok(await page.getByRole('button', { name: 'Create and start' }).isDisabled());
  await accessible(admin, 'the dialog for a new swarm');
  await page.getByLabel('Setting 1', { exact: true }).fill('generator.inputs.scheduler.ratePerSec');
  await page.getByLabel('Value 1', { exact: true }).fill('30');
  await page.getByLabel('Name').fill('not a name');
  await page.getByText('Nothing is wrong with these choices.').waitFor();
  admin.expected.push(/status of 400 .*\/api\/v1\/swarms$/);
  await page.getByRole('button', { name: 'Create and start' }).click();
  await page.getByText('must start with a letter or digit').waitFor();
  await page.getByLabel('Name').fill('alpha');
  await page.getByRole('button', { name: 'Create and start' }).click();

  await page.getByRole('heading', { name: 'alpha', level: 1 }).waitFor();
  await page.locator('.title-row .badge', { hasText: 'Running' }).waitFor();
  assert.equal(await page.locator('.bee-node').count(), 4);
  const measured = () => page.locator('.figures > div', { hasText: 'Calls measured' }).locator('dd').innerText();
  const number = async () => Number((await measured()).replace(/\D/g, '') || 0);
  const wait = async (least) => {
    const until = Date.now() + 30_000;
    while ((await number()) < least) {
      if (Date.now() > until) throw new Error(`still ${await number()} calls`);
      await page.waitForTimeout(100);
    }
    return number();
  };
  const first = await wait(1);
  await wait(first + 50);
  await page.getByText('Buffer guard of').waitFor();
  await page.locator('.chart canvas').nth(4).waitFor();
  await accessible(admin, 'the overview of a swarm');
  clean(admin);
});

test('a setting is changed behind a diff', async () => {
  const { page } = admin;
  await page.getByRole('navigation', { name: 'Parts of this swarm' }).getByRole('link', { name: /^Bees/ }).click();
  await page.getByRole('button', { name: /^Change.*alpha-processor-1$/ }).click();
  const box = page.getByRole('textbox', { name: 'Settings' });
  const config = JSON.parse(await box.inputValue());
  await box.fill(JSON.stringify({ ...config, timeoutMs: 1234 }, null, 2));
  await page.getByRole('button', { name: 'Review 1 change' }).click();
  await page.locator('.diff .new', { hasText: '1234' }).waitFor();
  await accessible(admin, 'the review of a change');
  await page.getByRole('button', { name: 'Send the change' }).click();
  await page.getByText('alpha-processor-1 has the new settings').waitFor();
  await page.getByRole('button', { name: 'Details of alpha-processor-1' }).click();
  await page.locator('pre', { hasText: '"timeoutMs": 1234' }).waitFor();
  await accessible(admin, 'the bees of a swarm');
  clean(admin);
});

test('plan, journal and taps show what happened and what passes', async () => {
  const { page } = admin;
  await page.getByRole('link', { name: 'Plan' }).click();
  await page.getByText('twice as much may pass').first().waitFor();
  await accessible(admin, 'the plan');
  await page.getByRole('link', { name: 'Journal' }).click();
  await page.getByLabel('Kind').selectOption('request');
  await page.getByRole('cell', { name: 'swarm-create' }).first().waitFor();
  await accessible(admin, 'the journal');
  await page.getByRole('link', { name: 'Taps' }).click();
  await page.getByLabel('Queue').selectOption('results');
  await page.getByRole('button', { name: 'Listen for a minute' }).click();
  await page.locator('.tap-item', { hasText: 'http.result' }).first().waitFor();
  await accessible(admin, 'taps');
  clean(admin);
});

test('the server restarts while somebody looks: the page says so, and goes on by itself', async () => {
  const { page } = admin;
  await page.goto(`${hive.url}/swarms/alpha`);
  await page.locator('.title-row .badge', { hasText: 'Running' }).waitFor();
  clean(admin);
  await hive.stopServer();
  await page.getByText('what you see may be out of date').waitFor();
  await hive.startServer();
  await page.getByText('what you see may be out of date').waitFor({ state: 'detached' });
  await page.getByRole('status', { name: 'Connection: Live' }).first().waitFor();
  await page.locator('.title-row .badge', { hasText: 'Running' }).waitFor();
  // What failed while nobody answered is the network's, not ours.
  admin.faults.splice(0, admin.faults.length, ...admin.faults.filter((each) => !/WebSocket connection|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|503/.test(each)));
  clean(admin);
});

const columnOf = (page, name) => page.locator('.column', { has: page.getByRole('heading', { name: new RegExp(`^${name}`) }) });
let forager;

test('a task is made on the board, and moves as a bee takes it', async () => {
  const { page } = admin;
  forager = await hive.bee('forager');
  await page.goto(`${hive.url}/tasks`);
  await page.getByRole('heading', { name: 'No task yet' }).waitFor();
  await accessible(admin, 'tasks without a task');
  await page.getByRole('button', { name: 'New task' }).first().click();
  await page.getByLabel('Title').fill('Measure the checkout');
  await page.getByLabel('Priority').selectOption('1');
  await page.getByLabel('Tags').fill('perf, checkout');
  await accessible(admin, 'the dialog for a new task');
  await page.getByLabel('Depends on').fill('TASK-99');
  admin.expected.push(/status of 400 .*\/api\/v1\/tasks$/);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText("'TASK-99', which does not exist").waitFor();
  await page.getByLabel('Depends on').fill('');
  await page.getByRole('button', { name: 'Create' }).click();
  await columnOf(page, 'Ready').getByRole('link', { name: 'Measure the checkout' }).waitFor();

  const { lease } = await hive.ask('POST', '/tasks/TASK-1/claim', {}, forager);
  const card = columnOf(page, 'In work').locator('.task-card', { hasText: 'Measure the checkout' });
  await card.getByText('forager').waitFor();
  await hive.ask('POST', '/tasks/TASK-1/progress', { token: lease.token, percent: 40, note: 'halfway' }, forager);
  await card.getByText('40 %').waitFor();
  assert.equal(await columnOf(page, 'Ready').locator('.task-card').count(), 0);
  await accessible(admin, 'the board');
  clean(admin);
});

test('cards are dragged where the machine has a move, and moved by keys', async () => {
  const { page } = admin;
  await hive.ask('POST', '/tasks/bulk', { tasks: ['Sweep the store', 'Count the cells', 'Guard the door', 'Air the hive'].map((title) => ({ title, tags: ['house'] })) });
  const ready = columnOf(page, 'Ready');
  await ready.getByRole('link', { name: 'Air the hive' }).waitFor();
  await ready.locator('.task-card', { hasText: 'Sweep the store' }).dragTo(columnOf(page, 'Over'));
  await columnOf(page, 'Over').locator('.task-card', { hasText: 'Sweep the store' }).getByText('Cancelled').waitFor();
  // Nobody drags a task into what is held up.
  await ready.locator('.task-card', { hasText: 'Count the cells' }).dragTo(columnOf(page, 'Held up'));
  await ready.getByRole('link', { name: 'Count the cells' }).waitFor();
  // By keys alone: from card to card, then its menu.
  await ready.locator('.title').first().focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), await ready.locator('.title').nth(1).innerText());
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Measure the checkout');
  await ready.getByRole('button', { name: 'Move TASK-4' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Take it' }).waitFor();
  await page.keyboard.press('Enter');
  await columnOf(page, 'In work').getByRole('link', { name: 'Guard the door' }).waitFor();
  // Several at once, and one of them back.
  await page.getByRole('checkbox', { name: 'Select TASK-3' }).check();
  await page.getByRole('checkbox', { name: 'Select TASK-5' }).check();
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Cancel them' }).click();
  await page.getByText('2 tasks are cancelled').waitFor();
  await columnOf(page, 'Over').locator('.task-card', { hasText: 'Air the hive' }).dragTo(ready);
  await ready.getByRole('link', { name: 'Air the hive' }).waitFor();
  // What the server refuses is said in its words.
  await page.route('**/api/v1/tasks/*/claim', async (route) => {
    await hive.ask('POST', '/tasks/TASK-5/cancel', {});
    await route.continue();
  });
  admin.expected.push(/status of 409 .*\/claim$/);
  await ready.getByRole('button', { name: 'Move TASK-5' }).click();
  await page.getByRole('menuitem', { name: 'Take it' }).click();
  await page.getByText('TASK-5 is cancelled: it cannot claim now').waitFor();
  await page.unroute('**/api/v1/tasks/*/claim');
  await page.getByLabel('Find').fill('checkout');
  await page.waitForURL(/q=checkout/);
  await columnOf(page, 'In work').getByRole('link', { name: 'Guard the door' }).waitFor({ state: 'detached' });
  assert.equal(await page.locator('.task-card').count(), 1);
  clean(admin);
});

test('the page of a task has its attempts, its messages and its entries in the log', async () => {
  const { page } = admin;
  await page.getByRole('link', { name: 'Measure the checkout' }).click();
  await page.getByRole('heading', { name: 'Measure the checkout', level: 1 }).waitFor();
  await page.getByRole('log').getByText('halfway').waitFor();
  await page.getByLabel('Comment on this task').fill('Looks good so far');
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText('Looks good so far').waitFor();
  assert.equal((await hive.ask('GET', '/channels/task:TASK-1/messages')).items[0].content, 'Looks good so far');
  await page.getByRole('region', { name: 'Attempts' }).getByText('still at it').waitFor();
  await page.getByRole('cell', { name: 'task.claimed' }).waitFor();
  await hive.ask('POST', '/tasks/TASK-1/progress', { token: 1, percent: 70, note: 'nearly there' }, forager);
  await page.getByRole('log').getByText('nearly there').waitFor();
  await page.getByText('70 %').waitFor();
  await accessible(admin, 'a task');
  await page.goto(`${hive.url}/tasks/TASK-3`);
  await page.getByRole('button', { name: 'Drive again…' }).click();
  await page.getByLabel('Note').fill('wanted after all');
  await page.getByRole('dialog').getByRole('button', { name: 'Drive again' }).click();
  await page.getByText('TASK-3 is driven again').waitFor();
  await page.getByRole('button', { name: 'Take it' }).waitFor();
  await page.goto(`${hive.url}/tasks/TASK-777`);
  admin.expected.push(/status of 404 .*TASK-777/);
  admin.faults.splice(0, admin.faults.length, ...admin.faults.filter((each) => !/TASK-777/.test(each)));
  await page.getByRole('heading', { name: 'There is no task TASK-777' }).waitFor();
  clean(admin);
});

test('bees are shown with what they do, and paused', async () => {
  const { page } = admin;
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Bees' }).click();
  const bee = page.locator('.bee-card', { hasText: 'forager' });
  await bee.getByText('Working').waitFor();
  await bee.getByRole('link', { name: 'Measure the checkout' }).waitFor();
  await hive.ask('POST', '/bees/heartbeat', { status: 'GATHERING', skills: ['perf'] }, forager);
  await bee.getByText('GATHERING').waitFor();
  await accessible(admin, 'bees');
  await bee.getByRole('button', { name: 'Pause forager' }).click();
  await bee.getByText('Paused').waitFor();
  await bee.getByRole('button', { name: 'Resume forager' }).click();
  await bee.getByText('Paused').waitFor({ state: 'detached' });
  await bee.getByRole('link', { name: 'forager' }).click();
  await page.getByRole('region', { name: 'What it may still say' }).getByText('of 10 a minute').waitFor();
  await accessible(admin, 'a bee');
  clean(admin);
});

test('messages appear as they are said, are answered and acknowledged', async () => {
  const { page } = admin;
  await hive.ask('POST', '/channels/kitchen/messages', { content: 'first words' }, forager);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Channels' }).click();
  const kitchen = page.getByRole('navigation', { name: 'Channels' }).getByRole('link', { name: /^kitchen/ });
  await kitchen.getByText('1 unread').waitFor();
  await kitchen.click();
  await page.getByRole('log').getByText('first words').waitFor();
  const me = await page.evaluate(async () => (await (await fetch('/api/v1/me')).json()).id);
  await hive.ask('POST', '/channels/kitchen/messages', { content: 'please look', tags: ['hot'], ackFrom: [me], ackWithin: '1h' }, forager);
  const message = page.locator('.message', { hasText: 'please look' });
  await message.getByText('hot').waitFor();
  await accessible(admin, 'a channel');
  await message.getByRole('button', { name: 'Acknowledge' }).click();
  await message.getByText(`${me} acknowledged`).waitFor();
  await message.getByRole('button', { name: 'Reply to forager' }).click();
  await page.keyboard.type('I did');
  await page.keyboard.press('Enter');
  await page.locator('.replies', { hasText: 'I did' }).waitFor();
  // What was seen counts as read.
  await page.goto(`${hive.url}/channels/general`);
  await kitchen.waitFor();
  assert.equal(await kitchen.getByText('unread').count(), 0);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/tasks', '/tasks/TASK-1', '/bees', '/channels']) {
    await page.goto(hive.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await accessible(admin, `${path} on a phone`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `${path} scrolls sideways on a phone`);
  }
  // The list of channels stands before the messages: what is not seen stays unread.
  await hive.ask('POST', '/channels/general/messages', { content: 'is anybody here' }, forager);
  const unread = async () => (await page.evaluate(async () => (await (await fetch('/api/v1/channels')).json()).items)).find((each) => each.name === 'general').unread;
  await page.goto(`${hive.url}/channels`);
  await page.getByRole('navigation', { name: 'Channels' }).getByRole('link', { name: /^general/ }).waitFor();
  await page.waitForTimeout(500);
  assert.equal(await unread(), 1);
  await page.getByRole('navigation', { name: 'Channels' }).getByRole('link', { name: /^general/ }).click();
  await page.getByRole('log').getByText('is anybody here').waitFor();
  for (const until = Date.now() + 5000; (await unread()) !== 0 && Date.now() < until; ) await page.waitForTimeout(50);
  assert.equal(await unread(), 0);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Runs' }).click();
  await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
  await page.setViewportSize({ width: 1440, height: 900 });
  clean(admin);
});

test('who may only read can change nothing', async () => {
  const { url } = await hive.ask('POST', '/login-links', { person: 'rita', role: 'readonly' });
  const reader = await watchedPage(browser);
  const { page } = reader;
  await page.goto(url);
  await page.getByRole('link', { name: 'alpha' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /New swarm|Stop|Start|More for/ }).count(), 0);
  await page.getByRole('link', { name: 'alpha' }).click();
  await page.locator('.bee-node').first().waitFor();
  assert.equal(await page.getByRole('button', { name: /Start|Stop|Remove/ }).count(), 0);
  await page.goto(`${hive.url}/swarms/alpha/taps`);
  await page.getByText('Your role may only watch').waitFor();
  await page.goto(`${hive.url}/scenarios/hello`);
  await page.getByText('Your role may read, not change.').waitFor();
  assert.equal(await page.getByRole('button', { name: /Run|Remove|Save/ }).count(), 0);
  await page.goto(`${hive.url}/settings`);
  await page.getByRole('region', { name: 'Roles' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Keys', exact: true }).count(), 0);
  assert.equal(await page.getByRole('region', { name: 'People' }).count(), 0);
  await page.goto(`${hive.url}/settings/keys`);
  await page.getByText('Not for your role').waitFor();
  await page.goto(`${hive.url}/tasks`);
  await page.getByRole('link', { name: 'Measure the checkout' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /New task|Move TASK/ }).count(), 0);
  assert.equal(await page.getByRole('checkbox').count(), 0);
  await page.getByRole('link', { name: 'Measure the checkout' }).click();
  await page.getByRole('log').getByText('halfway').waitFor();
  assert.equal(await page.getByRole('button', { name: /Take it|Cancel|Send|Reply/ }).count(), 0);
  await page.goto(`${hive.url}/bees`);
  await page.getByRole('link', { name: 'forager' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /Pause|Resume/ }).count(), 0);
  // And not because buttons are missing: the server refuses.
  reader.expected.push(/status of 403/);
  const status = await page.evaluate(async () => {
    const { csrfToken } = await (await fetch('/api/v1/me')).json();
    const answer = await fetch('/api/v1/swarms/alpha/stop', { method: 'POST', headers: { 'X-CSRF-Token': csrfToken } });
    return answer.status;
  });
  assert.equal(status, 403);
  clean(reader);
  await reader.context.close();
});

test('a swarm is stopped and removed', async () => {
  const { page } = admin;
  await page.goto(`${hive.url}/swarms/alpha`);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('alpha is stopped').waitFor();
  await page.locator('.title-row .badge', { hasText: 'Stopped' }).waitFor();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('heading', { name: 'No swarm yet' }).waitFor();
  await page.getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('link', { name: 'alpha' }).click();
  await page.getByRole('cell', { name: 'swarm-remove' }).first().waitFor();
  await accessible(admin, 'a run');
  await page.goto(`${hive.url}/runs`);
  await page.getByRole('button', { name: /Keep run of alpha/ }).click();
  await page.getByRole('button', { name: /Kept run of alpha/ }).waitFor();
  await accessible(admin, 'runs');
  clean(admin);
});

test('a scenario is checked while it is typed, and kept', async () => {
  const { page } = admin;
  await page.goto(`${hive.url}/scenarios`);
  await page.getByRole('heading', { name: 'Hello, hive' }).waitFor();
  await accessible(admin, 'scenarios');
  await page.getByRole('button', { name: 'New scenario' }).click();
  await page.getByLabel('Name').fill('mine');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'mine', level: 1 }).waitFor();
  await page.getByText('Nothing is wrong').waitFor();
  await accessible(admin, 'the editor');
  const editor = page.getByRole('textbox', { name: 'Text of scenario.yaml' });
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('thresh');
  await page.keyboard.press('Control+Space');
  await page.getByRole('option', { name: /thresholds/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type('x: 1');
  await page.getByRole('button', { name: /scenario\.yaml:\d+/ }).waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('Nothing is wrong').waitFor();
  await page.getByRole('textbox', { name: 'Text of scenario.yaml' }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('# changed here');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('mine is kept').waitFor();
  await page.getByRole('link', { name: 'Graph' }).click();
  await page.locator('.bee-node').nth(2).waitFor();
  await accessible(admin, 'the graph of a scenario');
  await page.getByRole('link', { name: 'Render' }).click();
  await page.locator('.rendered', { hasText: 'http.request' }).waitFor();
  await accessible(admin, 'rendering');
  clean(admin);
});

test('the audit log is verified, and an entry proven by the browser', async () => {
  const { page } = admin;
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('Nothing was changed or taken away.').waitFor();
  await page.getByLabel('What').fill('swarm.created');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: /^Show all/ }).waitFor();
  await page.getByRole('button', { name: /^Proof of entry/ }).first().click();
  await page.getByText('Your browser came to the same root').waitFor();
  await accessible(admin, 'the proof of an entry');
  await page.getByRole('button', { name: 'Close' }).click();
  await accessible(admin, 'the audit log');
  clean(admin);
});

test('a key is shown once, and revoked', async () => {
  const { page } = admin;
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('navigation', { name: 'Parts of the settings' }).getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Owner').fill('ci');
  await page.getByRole('button', { name: 'Create' }).click();
  const secret = await page.getByLabel('Secret').innerText();
  assert.match(secret, /^hv[bhs]_[0-9A-Za-z]{39}$/);
  const asked = () => fetch(`${hive.url}/api/v1/me`, { headers: { Authorization: `Bearer ${secret}` } });
  assert.equal((await asked()).status, 200);
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('button', { name: 'More for the key of ci' }).click();
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.locator('tr', { hasText: 'ci' }).getByText('revoked').waitFor();
  assert.equal((await asked()).status, 401);
  await accessible(admin, 'keys');
  await page.getByRole('link', { name: 'You and others' }).click();
  await page.getByRole('region', { name: 'Roles' }).waitFor();
  await accessible(admin, 'settings');
  await page.getByLabel('Theme').selectOption('dark');
  await accessible(admin, 'settings in the dark');
  await page.goto(`${hive.url}/swarms`);
  await accessible(admin, 'swarms in the dark');
  await page.setViewportSize({ width: 390, height: 844 });
  await accessible(admin, 'swarms on a phone');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(wide, false, 'the page scrolls sideways on a phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  clean(admin);
});

test('two hundred swarms are a list of which only what is seen is drawn', async () => {
  const crowd = await watchedPage(browser, { storageState: await admin.context.storageState() });
  const items = Array.from({ length: 200 }, (_, index) => ({
    id: `swarm-${String(index).padStart(3, '0')}`, phase: 'Running', wish: 'running', health: 'Healthy', run: 'none',
    stale: false, allowed: ['stop', 'config', 'remove'], rate: index,
  }));
  await crowd.page.route('**/api/v1/swarms?*', (route) => route.fulfill({ json: { items } }));
  await crowd.page.goto(`${hive.url}/swarms`);
  await crowd.page.getByRole('link', { name: 'swarm-000' }).waitFor();
  assert.ok((await crowd.page.locator('.swarm-scroll [role=row]').count()) < 60);
  await crowd.page.locator('.swarm-scroll').evaluate((element) => { element.scrollTop = element.scrollHeight; });
  await crowd.page.getByRole('link', { name: 'swarm-199' }).waitFor();
  await crowd.page.getByLabel('Find swarms').fill('swarm-042');
  await crowd.page.getByText('1 of 200').waitFor();
  clean(crowd);
  await crowd.context.close();
});

test('signing out ends the session', async () => {
  const { page } = admin;
  await page.getByRole('button', { name: /Account and theme/ }).first().click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to PocketHive' }).waitFor();
  assert.equal((await page.request.get(`${hive.url}/api/v1/me`)).status(), 401);
  clean(admin);
});
