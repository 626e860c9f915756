import { describe, expect, it } from 'vitest';
import { beeNow, depthOf, graphOf } from './topology';

const bee = (id: string, from: string[], to: string[]) => ({
  id,
  role: 'echo',
  work: {
    in: Object.fromEntries(from.map((queue, index) => [`in${index}`, queue])),
    out: Object.fromEntries(to.map((queue, index) => [`out${index}`, queue])),
  },
});

describe('the graph of a swarm', () => {
  it('follows queues where the template names no edges', () => {
    const graph = graphOf({ bees: [bee('sink', ['done'], []), bee('source', [], ['raw']), bee('worker', ['raw'], ['done'])] });
    expect(graph.arcs.map((arc) => `${arc.from}-${arc.queue}-${arc.to}`).sort()).toEqual(['source-raw-worker', 'worker-done-sink']);
    expect(Object.fromEntries(graph.bees.map((each) => [each.id, each.layer]))).toEqual({ source: 0, worker: 1, sink: 2 });
  });
  it('has one arc for an edge that is named and a queue that is shared', () => {
    const graph = graphOf({
      bees: [bee('a', [], ['q']), bee('b', ['q'], [])],
      topology: { edges: [{ id: 'e', from: { beeId: 'a', port: 'out0' }, to: { beeId: 'b', port: 'in0' } }] },
    });
    expect(graph.arcs).toEqual([{ id: 'e', from: 'a', to: 'b', queue: 'q', selector: undefined }]);
  });
  it('ends although the bees form a loop', () => {
    const graph = graphOf({ bees: [bee('a', ['back'], ['forth']), bee('b', ['forth'], ['back'])] });
    expect(graph.arcs).toHaveLength(2);
  });
  it('puts bees that stand side by side into rows', () => {
    const graph = graphOf({ bees: [bee('a', [], ['q']), bee('b', [], ['q']), bee('c', ['q'], [])] });
    expect(graph.bees.map((each) => [each.layer, each.row])).toEqual([[0, 0], [0, 1], [1, 0]]);
  });
});

describe('a bee of a swarm that runs', () => {
  const rates = { a: 42, b: 0 };
  const workers = [
    { role: 'echo', instance: 'a-1', beeId: 'a', health: 'healthy', enabled: true, tps: 40 },
    { role: 'echo', instance: 'a-2', beeId: 'a', health: 'stale', enabled: true, tps: 2 },
    { role: 'echo', instance: 'b-1', beeId: 'b', health: 'healthy', enabled: false, tps: 0 },
  ];
  it('is as well as the worst of its replicas, and as fast as all of them', () => {
    expect(beeNow({ workers, rates }, 'a')).toMatchObject({ health: 'stale', rate: 42, well: 1, known: 2 });
  });
  it('is paused when it is well and does nothing', () => {
    expect(beeNow({ workers, rates }, 'b').health).toBe('paused');
    expect(beeNow({}, 'b')).toMatchObject({ health: 'unknown', rate: undefined });
  });
  it('has what waits before it by the name of the queue', () => {
    expect(depthOf({ depths: { 'ph.work.alpha.raw': 3 } }, 'alpha', 'raw')).toBe(3);
  });
});
