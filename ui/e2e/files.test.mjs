// Files as a second way into the colony, looked at in a browser: a hive beside a `.deia` directory.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { accessible, clean, fitsPhone, openBrowser, until, watchedPage } from './browser.mjs';
import { Hive } from './hive.mjs';

const mend = 'hive/tasks/BOT-002/TASK-002-001-P1-mend.md';
const hive = new Hive([], {
  [mend]: '# Mend the fence\n\n**Task ID:** TASK-002-001\n**From:** AGENT_003\n',
  'bot-logs/BOT-002-activity.jsonl': '{"ts":"2026-01-05T10:00:00Z","agent_id":"BOT-002","event":"started"}\nthis is no JSON\n',
});
const longAgo = 1_700_000_000; // a whole second: names no nanoseconds that could get lost
let browser;
let admin;
const nav = (page) => page.getByRole('navigation', { name: 'Main' });

before(async () => {
  utimesSync(join(hive.deia, mend), longAgo, longAgo);
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

test('the directory beside the hive is in step, and an odd file is named with its reason', async () => {
  const { page } = admin;
  await nav(page).getByRole('link', { name: 'Files' }).click();
  const directory = page.getByRole('region', { name: 'Directory' });
  await directory.getByText('In step').waitFor();
  await directory.getByText('.deia').waitFor();
  await directory.getByText('Changes are taken as they happen.').waitFor();
  const findings = page.getByRole('region', { name: 'Findings' });
  await findings.locator('li', { hasText: 'bot-logs/BOT-002-activity.jsonl' }).getByText('lines that are no JSON, kept as text: 1').waitFor();
  const passes = page.getByRole('region', { name: 'Passes' });
  await passes.getByText(mend).waitFor();
  await accessible(admin, 'files');
  // What a bee writes is here without anybody asking.
  const count = async () => Number((await directory.locator('.figures dd').first().innerText()).replace(/\D/g, ''));
  const first = await count();
  hive.write('hive/tasks/2026-01-05-1000-Q33N-BOT-002-TASK-paint.md', '# Paint the fence\n');
  await until(async () => (await count()) > first, 'the new file is counted');
  await passes.getByText('TASK-paint.md').first().waitFor();
  await page.goto(`${hive.url}/feed`);
  await page.getByRole('log', { name: 'Feed' }).locator('.feed-item', { hasText: 'The hive took' }).first().waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${hive.url}/files`);
  await directory.getByText('In step').waitFor();
  await fitsPhone(admin, 'files');
  await accessible(admin, 'files on a phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  clean(admin);
});

test('a push shows what it would write, then writes it', async () => {
  const { page } = admin;
  await hive.ask('POST', '/tasks', { title: 'Oil the gate' });
  const tasks = join(hive.deia, 'hive/tasks');
  const gate = () => readdirSync(tasks).find((name) => name.includes('oil-the-gate'));
  await until(() => gate() !== undefined, 'the task has a file');
  const file = join(tasks, gate());
  rmSync(file);
  await page.goto(`${hive.url}/files`);
  await page.getByRole('button', { name: 'Push…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 file would be written.').waitFor();
  await dialog.getByText('oil-the-gate').first().waitFor();
  assert.equal(existsSync(file), false, 'a dry run writes nothing');
  await accessible(admin, 'what a push would do');
  await dialog.getByRole('button', { name: 'Write 1 file' }).click();
  await page.getByText('1 file is written').waitFor();
  assert.ok(existsSync(file));
  await page.getByRole('button', { name: 'Push…' }).click();
  await dialog.getByText('Nothing to write: every task has its file.').waitFor();
  assert.equal(await dialog.getByRole('button', { name: /^Write/ }).count(), 0);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  clean(admin);
});

test('a pull finds what nobody told of, and takes it', async () => {
  const { page } = admin;
  // The same length and the same time: only its content tells that it has changed.
  const path = join(hive.deia, mend);
  const other = join(hive.directory, 'other.md');
  writeFileSync(other, readFileSync(path, 'utf8').replace('Mend the fence', 'Mend the stile'));
  utimesSync(other, longAgo, longAgo);
  renameSync(other, path);
  await page.getByRole('button', { name: 'Pull…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 file would be taken.').waitFor();
  await dialog.getByText(mend).waitFor();
  await dialog.getByRole('button', { name: 'Take 1 file' }).click();
  await page.getByText('1 file is taken').waitFor();
  await page.goto(`${hive.url}/tasks`);
  await page.getByRole('link', { name: 'Mend the stile' }).waitFor();
  clean(admin);
});

test('what both sides changed is shown with what stays and what was lost', async () => {
  const { page } = admin;
  // An editor that opened the file before the colony changed the title, and saves after.
  const tasks = join(hive.deia, 'hive/tasks');
  const file = join(tasks, readdirSync(tasks).find((name) => name.includes('oil-the-gate')));
  const opened = readFileSync(file, 'utf8');
  const [task] = (await hive.ask('GET', '/tasks?q=Oil')).items;
  await hive.ask('PATCH', `/tasks/${task.ref}`, { title: 'Oil both gates' });
  await until(() => readFileSync(file, 'utf8').includes('Oil both gates'), 'the file follows the colony');
  writeFileSync(file, opened.replace(/^(# .*)Oil the gate/m, '$1Oil the garden gate'));
  await page.goto(`${hive.url}/files`);
  const row = page.getByRole('region', { name: 'Conflicts' }).getByRole('row', { name: new RegExp(task.ref) });
  await row.getByText('Oil the garden gate').waitFor();
  await row.getByText('Oil both gates').waitFor();
  await accessible(admin, 'files with a conflict');
  await row.getByRole('link', { name: task.ref }).click();
  await page.getByRole('heading', { level: 1, name: 'Oil the garden gate' }).waitFor();
  clean(admin);
});

test('who may only read sees the files and is offered no pass', async () => {
  const rita = await watchedPage(browser);
  await rita.page.goto((await hive.ask('POST', '/login-links', { person: 'rita', role: 'readonly' })).url);
  await rita.page.getByRole('heading', { name: 'Swarms', level: 1 }).waitFor();
  await rita.page.goto(`${hive.url}/files`);
  await rita.page.getByRole('region', { name: 'Directory' }).getByText('In step').waitFor();
  assert.equal(await rita.page.getByRole('button', { name: /Pull|Push/ }).count(), 0);
  rita.expected.push(/status of 403 .*\/sync\/pull$/);
  const status = await rita.page.evaluate(async () => {
    const { csrfToken } = await (await fetch('/api/v1/me')).json();
    return (await fetch('/api/v1/sync/pull', { method: 'POST', headers: { 'X-CSRF-Token': csrfToken } })).status;
  });
  assert.equal(status, 403);
  clean(rita);
  await rita.context.close();
});

test('a hive without files says how to have them', async () => {
  const bare = await new Hive().start();
  try {
    const guest = await watchedPage(browser);
    await guest.page.goto(bare.link);
    await guest.page.getByRole('heading', { name: 'No swarm yet' }).waitFor();
    await guest.page.goto(`${bare.url}/files`);
    await guest.page.getByRole('heading', { name: 'No files are kept in step here' }).waitFor();
    await guest.page.getByText('colony.files.root').waitFor();
    assert.equal(await guest.page.getByRole('button', { name: /Pull|Push/ }).count(), 0);
    await accessible(guest, 'files without any');
    clean(guest);
    await guest.context.close();
  } finally {
    await bare.stop();
  }
});
