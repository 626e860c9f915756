// An agent: the client of the official SDK drives the tools of a hive.
// Usage: node mcp_client.cjs stdio HIVE | http URL, with HIVE_SERVER and HIVE_KEY in the environment.
// Prints a line for each step; waits for a line on standard input where the test has to do something.
const readline = require('readline');
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const {
  StreamableHTTPClientTransport,
} = require('@modelcontextprotocol/sdk/client/streamableHttp.js');

const [how, where] = process.argv.slice(2);

function transport() {
  if (how === 'stdio') {
    return new StdioClientTransport({ command: where, args: ['mcp'], env: { ...process.env } });
  }
  const headers = { Authorization: `Bearer ${process.env.HIVE_KEY}` };
  return new StreamableHTTPClientTransport(new URL(`${where}/mcp`), { requestInit: { headers } });
}

async function run() {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport());
  console.log(`server ${client.getServerVersion().name}`);
  const { tools } = await client.listTools(); // from here on results are checked by their schemas
  console.log(`tools ${tools.map((tool) => tool.name).join(' ')}`);
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    return result.isError ? `trouble: ${result.content[0].text}` : result.structuredContent;
  };

  const ready = await call('ready', {});
  console.log(`ready ${ready.tasks.map((task) => task.title).join(',')}`);
  const { tasks, next } = await call('claim', { lease: '5m' });
  const { ref, lease } = tasks[0];
  console.log(`claimed ${tasks[0].state} ${next.includes('progress')}`);
  const held = { task: ref, token: lease.token };
  const progressed = await call('progress', { ...held, percent: 40, note: 'half' });
  console.log(`progress ${progressed.task.state} ${progressed.task.percent}`);
  console.log(await call('progress', { ...held, token: lease.token + 1 }));
  console.log(await call('progress', { ...held, percent: 400 }));
  const done = await call('complete', { ...held, result: { rate: 12 } });
  console.log(`complete ${done.task.state}`);
  console.log(await call('complete', held));
  console.log(`nothing ${(await call('claim', {})).tasks.length}`);

  const said = await call('send', { channel: 'general', text: 'hello' });
  const inbox = await call('inbox', { channel: 'general' });
  console.log(`inbox ${inbox.messages[0].content} ${inbox.messages[0].id === said.message.id}`);
  console.log(`mine ${(await call('inbox', {})).messages.map((m) => m.content).join(',')}`);
  const asked = await call('ask', { question: 'May I?' });
  console.log(`asked ${asked.message.type}`);
  const decision = await call('ask', { question: 'Deploy?', decision: true });
  console.log(`decision ${decision.approval ? decision.approval.state : decision}`);
  console.log(`approvals ${JSON.stringify(await call('approvals', {})).slice(0, 4000)}`);
  await client.callTool({ name: 'dance' }).catch((error) => console.log(`error ${error.code}`));

  const abort = new AbortController();
  const waiting = client
    .callTool({ name: 'claim', arguments: { wait: '1m' } }, undefined, { signal: abort.signal })
    .catch(() => console.log('cancelled'));
  await client.ping(); // answered while the claim waits
  console.log('waiting');
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  await lines.next(); // the test has seen that it waits
  abort.abort('never mind');
  await waiting;
  await lines.next(); // the test has made a task and seen it come back
  await client.close();
  console.log('closed');
}

run().then(
  () => process.exit(0),
  (error) => {
    console.log(`failed ${error.stack}`);
    process.exit(1);
  },
);
