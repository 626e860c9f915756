// The colony over its REST API, with keep-alive connections and nothing else.
import http from 'node:http';

export async function open(where, key) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });
  const url = new URL(where);
  const ask = (path, body) =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(body);
      const request = http.request(
        {
          agent, host: url.hostname, port: url.port, method: 'POST', path: `/api/v1/tasks${path}`,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
        },
        (answer) => {
          let got = '';
          answer.setEncoding('utf8');
          answer.on('data', (part) => (got += part));
          answer.on('end', () => (answer.statusCode < 300 ? resolve(JSON.parse(got)) : reject(new Error(`${answer.statusCode} ${got}`))));
        },
      );
      request.on('error', reject);
      request.end(text);
    });
  const each = (count, run) => Promise.all(Array.from({ length: count }, run));
  const batch = 100;
  return {
    async make(mode, callers, total) {
      if (mode === 'batched') {
        for (let i = 0; i < total; i += 1000) {
          await ask('/bulk', { tasks: Array.from({ length: Math.min(1000, total - i) }, () => ({ title: 'job' })) });
        }
        return;
      }
      let left = total;
      await each(callers, async () => {
        while (left-- > 0) await ask('', { title: 'job' });
      });
    },
    async work(mode, callers, total) {
      let done = 0;
      const count = mode === 'batched' ? batch : 1;
      let over; // once all are done; who still waits for more is not part of the figure
      const end = new Promise((resolve) => (over = resolve));
      this.rest = each(mode === 'batched' ? 4 : callers, async () => {
        while (done < total) {
          const { items } = await ask('/claim-next', { count, wait: '500ms' });
          if (items.length === 0) continue;
          if (mode === 'batched') {
            await ask('/complete', { tasks: items.map((task) => ({ task: task.id, token: task.lease.token })) });
          } else {
            await ask(`/${items[0].id}/complete`, { token: items[0].lease.token });
          }
          done += items.length;
          if (done >= total) over();
        }
      });
      await end;
    },
    async push(times) {
      const found = [];
      for (let i = 0; i < times; ++i) {
        const waiting = ask('/claim-next', { wait: '10s' });
        await new Promise((resolve) => setTimeout(resolve, 5));
        const begun = performance.now();
        ask('', { title: 'job' });
        const { items } = await waiting;
        found.push(performance.now() - begun);
        await ask(`/${items[0].id}/complete`, { token: items[0].lease.token });
      }
      return found;
    },
    rest: undefined, // who still waits for work
    async close() { agent.destroy(); },
  };
}
