// People and bees: what happens as it happens, who has gone quiet, what waits for somebody to agree.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { accessible, clean, fitsPhone, openBrowser, until, watchedPage } from './browser.mjs';
import { Hive } from './hive.mjs';

const hive = new Hive(['--colony-quiet-after', '4s', '--colony-silent-after', '8s', '--colony-webhooks-allow', '127.0.0.1/32']);
let browser;
let admin;
let forager;
const nav = (page) => page.getByRole('navigation', { name: 'Main' });

async function guest(person, role, options = {}) {
  const watched = await watchedPage(browser, options);
  await watched.page.goto((await hive.ask('POST', '/login-links', { person, role })).url);
  await watched.page.getByRole('heading', { name: 'Swarms', level: 1 }).waitFor();
  return watched;
}

before(async () => {
  await hive.start();
  browser = await openBrowser();
  admin = await watchedPage(browser);
  await admin.page.goto(hive.link);
  await admin.page.getByRole('heading', { name: 'No swarm yet' }).waitFor();
  forager = await hive.bee('forager');
});
after(async () => {
  await browser?.close();
  await hive.stop();
});

test('the feed tells what happens, the newest first, and can be held still', async () => {
  const { page } = admin;
  await nav(page).getByRole('link', { name: 'Feed' }).click();
  const feed = page.getByRole('log', { name: 'Feed' });
  // What was written down before is there already.
  await feed.getByText('key').first().waitFor();
  await hive.ask('POST', '/tasks', { title: 'Sweep the store' });
  await feed.getByText('TASK-1 Sweep the store').waitFor();
  const { lease } = await hive.ask('POST', '/tasks/TASK-1/claim', {}, forager);
  await feed.locator('.feed-item', { hasText: 'forager took' }).waitFor();
  await hive.ask('POST', '/tasks/TASK-1/progress', { token: lease.token, percent: 30, note: 'shelf by shelf' }, forager);
  await feed.locator('.feed-item', { hasText: 'works on' }).getByText('30 % · shelf by shelf').waitFor();
  await accessible(admin, 'the feed');
  await page.getByRole('button', { name: 'Hold still' }).click();
  await hive.ask('POST', '/channels/general/messages', { content: 'anybody here?' }, forager);
  await page.getByRole('button', { name: /^1 new/ }).waitFor();
  assert.equal(await feed.getByText('anybody here?').count(), 0);
  await page.getByRole('button', { name: 'Go on' }).click();
  await feed.getByText('anybody here?').waitFor();
  await page.getByRole('button', { name: 'Messages', exact: true }).click();
  await page.waitForURL(/only=message/);
  await feed.getByText('TASK-1 Sweep the store').first().waitFor({ state: 'detached' });
  for (const words of await feed.locator('.feed-item').allTextContents()) assert.match(words, /said in/);
  await page.getByRole('button', { name: 'Messages', exact: true }).click();
  await page.getByLabel('Find in the feed').fill('anybody');
  await until(async () => (await feed.locator('.feed-item').count()) === 1, 'only one fits');
  // After a reload it is the same: from the log.
  await page.reload();
  await feed.getByText('forager took').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await fitsPhone(admin, 'the feed');
  await accessible(admin, 'the feed on a phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  clean(admin);
});

test('what happens while a page begins to listen shows all the same', async () => {
  const late = await guest('late', 'human');
  let letGo;
  const held = new Promise((done) => { letGo = done; });
  await late.page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => void held.then(() => server.send(message)));
  });
  await late.page.goto(`${hive.url}/tasks`);
  await late.page.getByText('Sweep the store').first().waitFor();
  await hive.ask('POST', '/tasks', { title: 'Count the jars' });
  letGo();
  await late.page.getByText('Count the jars').first().waitFor();
  clean(late);
  await late.context.close();
});

test('a bee that is not heard of any more shows, and shows when it is back', async () => {
  const { page } = admin;
  await page.goto(`${hive.url}/bees`);
  const bee = page.locator('.bee-card', { hasText: 'forager' });
  await bee.getByText('Silent').waitFor();
  await accessible(admin, 'a silent bee');
  await bee.getByRole('link', { name: 'forager' }).click();
  await page.getByText('Not heard of since').waitFor();
  await page.goto(`${hive.url}/feed?only=bee`);
  await page.getByRole('log', { name: 'Feed' }).getByText('is silent').first().waitFor();
  await page.goto(`${hive.url}/bees`);
  // A bee that is there goes on saying so: one sign is old again after four seconds.
  await until(async () => {
    await hive.ask('POST', '/bees/heartbeat', { status: 'GATHERING' }, forager);
    return bee.getByText('Working').waitFor({ timeout: 2000 }).then(() => true, () => false);
  }, 'the bee is back');
  clean(admin);
});

test('who is signed in is seen and signed out', async () => {
  const { page } = admin;
  const eve = await guest('eve', 'human');
  await page.goto(`${hive.url}/settings`);
  const people = page.getByRole('region', { name: 'People' });
  await people.getByText('this browser').waitFor();
  const row = people.getByRole('row', { name: /eve/ });
  await row.getByRole('button', { name: 'Sign out eve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await row.waitFor({ state: 'detached' });
  await eve.page.getByRole('heading', { name: 'Sign in to PocketHive' }).waitFor();
  await accessible(admin, 'people');
  // Many people come twenty at a time; who came first is at the end.
  for (let number = 0; number < 21; number += 1) {
    const { url } = await hive.ask('POST', '/login-links', { person: `guest-${number}`, role: 'readonly' });
    assert.equal((await fetch(url, { redirect: 'manual' })).status, 303);
  }
  await page.reload();
  await people.getByRole('row', { name: /^guest-20 / }).waitFor();
  assert.equal(await people.getByText('this browser').count(), 0);
  await people.getByRole('button', { name: 'Who signed in before' }).click();
  await people.getByText('this browser').waitFor();
  await people.getByRole('row', { name: /^guest-0 / }).waitFor();
  clean(admin);
  await eve.context.close();
});

test('a rule is made, holds an act back, and a person on a phone approves it', async () => {
  const { page } = admin;
  await nav(page).getByRole('link', { name: /^Approvals/ }).click();
  await page.getByRole('heading', { name: 'Nothing waits for approval' }).waitFor();
  await accessible(admin, 'approvals without any');
  await page.getByRole('link', { name: 'See the rules' }).click();
  await page.getByRole('heading', { name: 'No rule yet' }).waitFor();
  await page.getByRole('button', { name: 'New rule' }).first().click();
  await page.getByLabel('Name').fill('Work that is done');
  await page.getByLabel('What is done').fill('task.complete');
  await page.getByLabel('Asked by').selectOption('bee');
  await page.getByRole('button', { name: 'Ask others when the time is up' }).click();
  await accessible(admin, 'the form of a rule');
  await page.getByRole('button', { name: 'Keep' }).click();
  const rule = page.getByRole('row', { name: /Work that is done/ });
  await rule.getByText('one of people within 1 h, then one of admins within 4 h').waitFor();
  await accessible(admin, 'rules');

  const ada = await guest('ada', 'human', { viewport: { width: 390, height: 844 } });
  await hive.ask('POST', '/tasks/TASK-1/complete', { token: 1, note: 'all swept', result: { shelves: 12 } }, forager);
  const waiting = nav(ada.page).getByRole('link', { name: /^Approvals/ });
  await waiting.getByText('1 waits for you').waitFor();
  await waiting.click();
  const card = ada.page.locator('.approval-card').first();
  await card.getByRole('button', { name: /^Approve/ }).waitFor();
  await accessible(ada, 'approvals on a phone');
  await fitsPhone(ada, 'approvals');
  const [{ id }] = (await hive.ask('GET', '/approvals?state=open')).items;
  await hive.ask('POST', `/approvals/${id}/evidence`, { evidence: [
    { kind: 'link', title: 'Photograph', value: 'https://example.org/store.jpg' },
    { kind: 'json', title: 'Counts', value: { shelves: 12 } },
    { kind: 'text', title: 'Note', value: 'Behind the door too' },
  ] }, forager);
  await card.locator('.name-link').click();
  const evidence = ada.page.getByRole('region', { name: 'Evidence' });
  await evidence.getByText('Behind the door too').waitFor();
  assert.equal(await evidence.getByRole('link').count(), 1);
  await accessible(ada, 'a request on a phone');
  await fitsPhone(ada, 'a request');
  assert.equal(await ada.page.getByRole('button', { name: 'More', exact: true }).first().isVisible(), true);
  await ada.page.getByLabel('Comment').fill('well done');
  await ada.page.getByRole('region', { name: 'Your decision' }).getByRole('button', { name: 'Approve' }).click();
  await ada.page.getByText('Approved by ada').waitFor();
  await ada.page.getByText('“well done”').first().waitFor();
  await until(async () => (await hive.ask('GET', '/tasks/TASK-1')).state === 'completed', 'the task is completed');
  await waiting.getByText('waits for you').waitFor({ state: 'detached' });
  await accessible(ada, 'a request that is over');
  clean(ada);
  await ada.context.close();
});

test('a swarm whose start needs consent waits for it, and says so', async () => {
  const { page } = admin;
  const grace = (await hive.ask('POST', '/keys', { owner: 'grace', role: 'human' })).key;
  const rule = await hive.ask('POST', '/approval-rules', { name: 'Starts', match: { acts: ['swarm.start'] }, stages: [{ roles: ['human', 'admin'], within: '1h' }] });
  await hive.ask('POST', '/swarms?wait=20s', { id: 'guarded', template: { bees: [{ id: 'a', role: 'echo', work: { in: { in: 'q1' } } }] } });
  await page.goto(`${hive.url}/swarms/guarded`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('It waits for approval').first().waitFor();
  await accessible(admin, 'a swarm that waits for approval');
  await page.getByRole('link', { name: 'See the request' }).click();
  await page.getByRole('heading', { name: 'Start swarm guarded' }).waitFor();
  const [{ id }] = (await hive.ask('GET', '/approvals?state=open')).items;
  await hive.ask('POST', `/approvals/${id}/decision`, { verdict: 'approve' }, grace);
  await page.getByText('Approved by grace').waitFor();
  await page.goto(`${hive.url}/swarms/guarded`);
  await page.locator('.title-row .badge', { hasText: 'Running' }).waitFor();
  await hive.ask('DELETE', `/approval-rules/${rule.id}`);
  clean(admin);
});

test('an administrator overrides with a reason; a rule is turned off and removed', async () => {
  const { page } = admin;
  const { id } = await hive.ask('POST', '/approvals', { subject: 'May I delete the old index?', people: ['nobody-here'], within: '2h' }, forager);
  await page.goto(`${hive.url}/approvals/${id}`);
  await page.getByRole('heading', { name: 'May I delete the old index?' }).waitFor();
  assert.equal(await page.getByRole('region', { name: 'Your decision' }).count(), 0);
  await accessible(admin, 'a request for others');
  await page.getByRole('button', { name: 'More', exact: true }).first().click();
  await page.getByRole('menuitem', { name: 'Override: deny…' }).click();
  const deny = page.getByRole('dialog').getByRole('button', { name: 'Deny' });
  assert.ok(await deny.isDisabled());
  await page.getByLabel('Why').fill('nobody is awake');
  await deny.click();
  await page.getByText('against the rule').waitFor();
  await page.getByText('nobody is awake').first().waitFor();
  await page.goto(`${hive.url}/approvals?state=denied`);
  await page.getByRole('row', { name: /May I delete the old index/ }).getByText('Overridden').waitFor();
  await page.goto(`${hive.url}/settings/rules`);
  const rule = page.getByRole('row', { name: /Work that is done/ });
  const more = async (item) => {
    await rule.getByRole('button', { name: 'More for Work that is done' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await more('Turn off');
  await rule.getByText('Off').waitFor();
  await more('Remove…');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('heading', { name: 'No rule yet' }).waitFor();
  clean(admin);
});

test('who may only read sees requests and decides nothing', async () => {
  await hive.ask('POST', '/approvals', { subject: 'May I go on?', within: '2h' }, forager);
  const rita = await guest('rita', 'readonly');
  await rita.page.goto(`${hive.url}/approvals`);
  await rita.page.getByRole('link', { name: 'May I go on?' }).waitFor();
  assert.equal(await rita.page.getByRole('button', { name: /Approve|Deny/ }).count(), 0);
  await rita.page.getByRole('link', { name: 'May I go on?' }).click();
  await rita.page.getByRole('region', { name: 'Evidence' }).waitFor();
  assert.equal(await rita.page.getByRole('button', { name: /Approve|Deny|Override/ }).count(), 0);
  await rita.page.goto(`${hive.url}/settings/rules`);
  await rita.page.getByText('Only administrators change rules.').waitFor();
  assert.equal(await rita.page.getByRole('button', { name: 'New rule' }).count(), 0);
  clean(rita);
  await rita.context.close();
});

test('a webhook is made, its secret shown once, and what it was sent can be read and sent again', async () => {
  const { page } = admin;
  const heard = [];
  let status = 200;
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => { body += chunk; });
    request.on('end', () => {
      heard.push({ headers: request.headers, body });
      response.writeHead(status).end(status === 200 ? 'thanks' : 'not now');
    });
  });
  await new Promise((done) => receiver.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${receiver.address().port}/hook`;
  try {
    await page.goto(`${hive.url}/settings/webhooks`);
    await page.getByRole('heading', { name: 'Nobody outside is told' }).waitFor();
    await accessible(admin, 'webhooks without any');
    await page.getByRole('button', { name: 'New webhook' }).first().click();
    await page.getByLabel('Address').fill('ftp://example.org');
    admin.expected.push(/status of 400 .*\/api\/v1\/webhooks$/);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await accessible(admin, 'the form of a webhook');
    await page.getByLabel('Address').fill(address);
    await page.getByLabel('Events').fill('task.created');
    await page.getByRole('button', { name: 'Create' }).click();
    const secret = await page.getByLabel('Secret', { exact: true }).innerText();
    assert.match(secret, /^whsec_/);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await accessible(admin, 'webhooks');
    await page.getByRole('link', { name: address }).click();
    assert.equal(await page.getByText(secret).count(), 0);
    const log = page.getByRole('region', { name: 'Deliveries' });
    await log.getByText('Nothing was sent yet').waitFor();
    await hive.ask('POST', '/tasks', { title: 'Told outside' });
    const row = log.getByRole('row', { name: /task.created/ });
    await row.getByText('delivered').waitFor();
    const [first] = heard;
    const signed = `${first.headers['webhook-id']}.${first.headers['webhook-timestamp']}.${first.body}`;
    const expected = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(signed).digest('base64');
    assert.ok(first.headers['webhook-signature'].split(' ').includes(`v1,${expected}`), 'the secret that was shown signs');
    await row.getByRole('button', { name: /^Look/ }).click();
    await page.getByLabel('What is sent').getByText('Told outside').waitFor();
    await page.getByText('thanks').waitFor();
    await accessible(admin, 'a delivery');
    await page.getByRole('button', { name: 'Close' }).click();
    await row.getByRole('button', { name: /^Send again/ }).click();
    await until(() => heard.length >= 2, 'it is sent again');
    assert.equal(heard[1].headers['webhook-id'], first.headers['webhook-id']);
    status = 503;
    await page.getByRole('button', { name: 'Send a ping' }).click();
    await log.getByRole('row', { name: /ping/ }).getByText('503 after').waitFor();
    await accessible(admin, 'a webhook');
    await page.getByRole('button', { name: 'More for this webhook' }).click();
    await page.getByRole('menuitem', { name: 'New secret…' }).click();
    await page.getByRole('button', { name: 'Make it' }).click();
    assert.notEqual(await page.getByLabel('Secret', { exact: true }).innerText(), secret);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByText('Two secrets until').waitFor();
    await page.getByRole('button', { name: 'More for this webhook' }).click();
    await page.getByRole('menuitem', { name: 'Turn off' }).click();
    await page.getByRole('region', { name: 'Webhook', exact: true }).getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'More for this webhook' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'Nobody outside is told' }).waitFor();
    clean(admin);
  } finally {
    receiver.close();
  }
});

test('what is spent shows by day, bee and task, against a budget', async () => {
  const { page } = admin;
  await page.goto(`${hive.url}/costs`);
  await page.getByRole('heading', { name: 'Nothing was spent' }).waitFor();
  await page.getByRole('heading', { name: 'No budget yet' }).waitFor();
  await accessible(admin, 'costs without any');
  await page.getByRole('link', { name: 'Prices', exact: true }).click();
  await page.getByRole('heading', { name: 'No price yet' }).waitFor();
  for (const [kind, price] of [['input', '3'], ['output', '15']]) {
    await page.getByRole('button', { name: 'New price' }).first().click();
    await page.getByLabel('Model').fill('small-*');
    await page.getByLabel('Of what').selectOption(kind);
    await page.getByLabel('Price', { exact: true }).fill(price);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row', { name: new RegExp(`small-.*${kind} tokens.*${price}.00 a million`) }).waitFor();
  }
  await accessible(admin, 'prices');
  await page.goto(`${hive.url}/costs`);
  await page.getByRole('button', { name: 'New budget' }).click();
  await page.getByLabel('Name').fill('A day of a bee');
  await page.getByLabel('Limit').fill('5');
  await accessible(admin, 'the form of a budget');
  await page.getByRole('button', { name: 'Keep' }).click();
  const budget = page.locator('.budget', { hasText: 'A day of a bee' });
  await budget.getByText('Nothing of it is used.').waitFor();
  // A million in and a fifth of one out: 3 and 3.
  await hive.ask('POST', '/tasks', { title: 'Costs something' });
  const [task] = (await hive.ask('GET', '/tasks?q=Costs')).items;
  await hive.ask('POST', '/costs', { key: 'call-1', task: task.ref, model: 'small-1', tokens: { input: 1_000_000, output: 200_000 } }, forager);
  await page.locator('.figures').getByText('6.00').first().waitFor();
  await budget.getByText('6.00 of 5.00').waitFor();
  await page.locator('.chart canvas').waitFor();
  await page.getByRole('region', { name: 'By bee' }).getByRole('link', { name: 'forager' }).waitFor();
  await page.getByRole('region', { name: 'By task' }).getByRole('link', { name: task.ref }).waitFor();
  await page.getByRole('region', { name: 'Records' }).getByRole('row', { name: /small-1/ }).waitFor();
  await accessible(admin, 'costs');
  await page.getByLabel('Of', { exact: true }).selectOption('tokens');
  await page.waitForURL(/of=tokens/);
  await page.getByRole('region', { name: 'By model' }).getByText('1.2M').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await fitsPhone(admin, 'costs');
  await accessible(admin, 'costs on a phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${hive.url}/tasks/${task.ref}`);
  await page.getByRole('region', { name: 'Cost' }).getByText('6.00').waitFor();
  await accessible(admin, 'a task with its cost');
  await page.goto(`${hive.url}/feed?only=cost`);
  await page.getByRole('log', { name: 'Feed' }).getByText('has used up a budget:').waitFor();
  clean(admin);
});
