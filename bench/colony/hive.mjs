// The colony over its REST API, with keep-alive connections and nothing else. A client of its own: Node's http
// spends more on a request than the hive does.
import { Pool } from 'undici';

export async function open(where, key) {
  const pool = new Pool(where, { connections: 110, pipelining: 1 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const ask = async (path, body) => {
    const answer = await pool.request({
      method: 'POST', path: `/api/v1/tasks${path}`, headers, body: JSON.stringify(body),
    });
    const got = await answer.body.json();
    if (answer.statusCode >= 300) throw new Error(`${answer.statusCode} ${JSON.stringify(got)}`);
    return got;
  };
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
    close: () => pool.destroy(),
  };
}
