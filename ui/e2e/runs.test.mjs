// What stays of a swarm: its report, and two of them side by side.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, clean, fitsPhone, openBrowser, until, watchedPage } from './browser.mjs';
import { Hive } from './hive.mjs';

const hive = new Hive();
let browser;
let admin;
const runs = {};

before(async () => {
  await hive.start();
  browser = await openBrowser();
  admin = await watchedPage(browser);
  await admin.page.goto(hive.link);
  await admin.page.getByRole('heading', { name: 'No swarm yet' }).waitFor();
});
after(async () => {
  await browser?.close();
  await hive.stop();
});

async function measured(id, ratePerSec, calls) {
  await hive.ask('POST', '/swarms?wait=20s', { id, scenario: 'buffer-guard', sut: 'local', autoStart: true, set: { 'moderator.ratePerSec': ratePerSec }, labels: { speed: String(ratePerSec) } })
    .catch(() => hive.ask('POST', '/swarms?wait=20s', { id, scenario: 'buffer-guard', sut: 'local', autoStart: true, labels: { speed: String(ratePerSec) } }));
  const { run } = await hive.ask('GET', `/swarms/${id}`);
  runs[id] = run;
  await until(async () => (await hive.ask('GET', `/runs/${run}/report`).catch(() => ({ calls: 0 }))).calls >= calls, `${calls} calls of ${id}`);
}

test('a run has a report while its swarm works, and keeps it when the swarm is gone', async () => {
  const { page } = admin;
  await measured('before', 20, 60);
  await page.goto(`${hive.url}/runs/${runs.before}`);
  const report = page.getByRole('region', { name: 'Report' });
  await report.getByText('so far').waitFor();
  await report.locator('.chart canvas').nth(1).waitFor();
  await accessible(admin, 'the report of a run that goes on');
  const calls = async () => Number((await report.locator('.figures dd').first().innerText()).replace(/\D/g, ''));
  const first = await calls();
  assert.ok(first >= 60);
  await until(async () => (await calls()) > first, 'the report grows by itself');
  await hive.ask('POST', '/swarms/before/stop?wait=20s');
  await hive.ask('DELETE', '/swarms/before?wait=20s');
  const kept = await hive.ask('GET', `/runs/${runs.before}/report`);
  await page.reload();
  await page.getByText('Over', { exact: true }).waitFor();
  await report.getByText('200', { exact: true }).waitFor();
  assert.equal(await calls(), kept.calls);
  await page.getByLabel('Kind').selectOption('measure');
  await page.getByText(`${kept.calls.toLocaleString('en')} calls measured`).first().waitFor();
  await accessible(admin, 'the report of a run that is over');
  clean(admin);
});

test('two runs are chosen in the list and stand side by side', async () => {
  const { page } = admin;
  await measured('after', 40, 60);
  await page.goto(`${hive.url}/runs`);
  await page.getByRole('checkbox', { name: /^Compare before/ }).check();
  await page.getByText('Choose another run').waitFor();
  await page.getByRole('checkbox', { name: /^Compare after/ }).check();
  await accessible(admin, 'runs that are chosen');
  await page.getByRole('button', { name: 'Compare them' }).click();
  await page.getByRole('heading', { name: 'Compare two runs' }).waitFor();
  const numbers = page.getByRole('region', { name: 'Numbers' });
  await numbers.getByRole('row', { name: /^p99 / }).waitFor();
  const kept = await hive.ask('GET', `/runs/${runs.before}/report`);
  assert.ok((await numbers.getByRole('row', { name: /^Calls / }).innerText()).includes(kept.calls.toLocaleString('en')));
  await page.locator('.chart canvas').nth(3).waitFor();
  await page.getByRole('region', { name: 'Set up' }).getByRole('row', { name: /speed/ }).waitFor();
  await accessible(admin, 'two runs side by side');
  // Shared by its address, and the other way round.
  await page.getByRole('button', { name: 'Swap A and B' }).click();
  await page.waitForURL(new RegExp(`a=${runs.after}&b=${runs.before}`));
  await page.setViewportSize({ width: 390, height: 844 });
  await fitsPhone(admin, 'two runs side by side');
  await accessible(admin, 'two runs on a phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${hive.url}/runs/compare`);
  await page.getByRole('heading', { name: 'Choose two runs' }).waitFor();
  await accessible(admin, 'no runs chosen');
  clean(admin);
});

test('a run that measured nothing says so', async () => {
  const { page } = admin;
  await hive.ask('POST', '/swarms?wait=20s', { id: 'mute', template: { bees: [{ id: 'a', role: 'echo', work: { in: { in: 'q1' } } }] } });
  const { run } = await hive.ask('GET', '/swarms/mute');
  admin.expected.push(/status of 404 .*\/report$/);
  await page.goto(`${hive.url}/runs/${run}`);
  await page.getByRole('heading', { name: 'Nothing was measured' }).waitFor();
  await page.goto(`${hive.url}/runs/compare?a=${run}&b=${runs.before}`);
  await page.getByText('Run A measured a call').waitFor();
  clean(admin);
});

test('the plan shows where it stands', async () => {
  const { page } = admin;
  await page.goto(`${hive.url}/swarms/after/plan`);
  const cursor = page.locator('.timeline .cursor');
  await cursor.waitFor();
  const place = () => cursor.evaluate((element) => Number.parseFloat(element.style.left));
  const first = await place();
  await until(async () => (await place()) > first, 'the position moves');
  await page.getByText('Under way').first().waitFor();
  clean(admin);
});

test('a swarm that has neither plan nor guard shows what it does all the same, also to who may only read', async () => {
  await hive.ask('POST', '/swarms?wait=20s', { id: 'plain', scenario: 'hello', sut: 'local', autoStart: true, set: { 'generator.inputs.scheduler.maxMessages': 1_000_000 } });
  const rita = await watchedPage(browser);
  const { page } = rita;
  await page.goto((await hive.ask('POST', '/login-links', { person: 'rita', role: 'readonly' })).url);
  await page.locator('.swarm-row', { hasText: 'plain' }).getByText(/^[1-9]\d*\/s$/).waitFor();
  await page.getByRole('link', { name: 'plain' }).click();
  await page.locator('.react-flow__node[data-id=processor]').getByText(/^[1-9]\d*\/s$/).waitFor();
  // The charts have points, although this person cannot ask the bees to report.
  await page.getByRole('img', { name: /^Rate by bee: .*processor [1-9]/ }).waitFor();
  await page.getByRole('img', { name: /^Waiting in queues: / }).waitFor();
  clean(rita);
  await rita.context.close();
});
