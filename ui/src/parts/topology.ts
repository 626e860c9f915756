// The bees of a swarm as a graph, and where each of them is drawn.
import type { Aggregate, Template, TemplateBee } from '../api/model';

export interface BeeVertex {
  id: string;
  role: string;
  replicas: number;
  layer: number;
  row: number;
}
export interface QueueArc {
  id: string;
  from: string;
  to: string;
  queue: string;
  selector?: string;
}
export interface Graph {
  bees: BeeVertex[];
  arcs: QueueArc[];
}

const idOf = (bee: TemplateBee): string => bee.id ?? bee.role;

function arcsOf(template: Template): QueueArc[] {
  const named = new Map(template.bees.map((bee) => [idOf(bee), bee]));
  const arcs: QueueArc[] = [];
  const seen = new Set<string>();
  for (const edge of template.topology?.edges ?? []) {
    const queue =
      named.get(edge.from.beeId)?.work?.out?.[edge.from.port] ?? named.get(edge.to.beeId)?.work?.in?.[edge.to.port] ?? '';
    arcs.push({ id: edge.id, from: edge.from.beeId, to: edge.to.beeId, queue, selector: edge.selector?.expr });
    seen.add(`${edge.from.beeId} ${edge.to.beeId} ${queue}`);
  }
  // A template may leave its edges out: queues that both sides name are edges too.
  for (const from of template.bees) {
    for (const queue of Object.values(from.work?.out ?? {})) {
      for (const to of template.bees) {
        const key = `${idOf(from)} ${idOf(to)} ${queue}`;
        if (!Object.values(to.work?.in ?? {}).includes(queue) || seen.has(key)) continue;
        seen.add(key);
        arcs.push({ id: key.replaceAll(' ', '-'), from: idOf(from), to: idOf(to), queue });
      }
    }
  }
  return arcs;
}

// A bee stands one layer behind the last of those that feed it. Loops are cut where they are met again.
function layersOf(ids: string[], arcs: QueueArc[]): Map<string, number> {
  const layers = new Map<string, number>();
  const visit = (id: string, path: Set<string>): number => {
    const known = layers.get(id);
    if (known !== undefined) return known;
    path.add(id);
    let layer = 0;
    for (const arc of arcs) {
      if (arc.to === id && !path.has(arc.from)) layer = Math.max(layer, visit(arc.from, path) + 1);
    }
    path.delete(id);
    layers.set(id, layer);
    return layer;
  };
  for (const id of ids) visit(id, new Set());
  return layers;
}

export function graphOf(template: Template): Graph {
  const arcs = arcsOf(template);
  const layers = layersOf(template.bees.map(idOf), arcs);
  const used = new Map<number, number>();
  const bees = template.bees.map((bee) => {
    const layer = layers.get(idOf(bee)) ?? 0;
    const row = used.get(layer) ?? 0;
    used.set(layer, row + 1);
    return { id: idOf(bee), role: bee.role, replicas: bee.replicas ?? 1, layer, row };
  });
  return { bees, arcs };
}

export function placeOf(graph: Graph, bee: BeeVertex, vertical: boolean): { x: number; y: number } {
  const inLayer = graph.bees.filter((each) => each.layer === bee.layer).length;
  const across = bee.row - (inLayer - 1) / 2;
  return vertical ? { x: across * 210, y: bee.layer * 150 } : { x: bee.layer * 316, y: across * 112 };
}

export interface BeeNow {
  health: string;
  rate: number | undefined;
  well: number;
  known: number;
  trouble: string | undefined;
}

// All replicas of a bee together; as well as the one that is worst off.
export function beeNow(aggregate: Aggregate, id: string): BeeNow {
  const own = (aggregate.workers ?? []).filter((worker) => (worker.beeId ?? worker.role) === id);
  const worst = own.find((worker) => worker.health !== 'healthy');
  const paused = own.length > 0 && own.every((worker) => worker.enabled === false);
  return {
    health: own.length === 0 ? 'unknown' : worst !== undefined ? (worst.health ?? 'unknown') : paused ? 'paused' : 'healthy',
    rate: own.length === 0 ? undefined : (aggregate.rates?.[id] ?? 0),
    well: own.filter((worker) => worker.health === 'healthy').length,
    known: own.length,
    trouble: own.find((worker) => worker.trouble !== undefined)?.trouble,
  };
}

// `ph.work.<swarm>.<queue>` of a swarm that runs, by the name that the scenario has for the queue.
export function depthOf(aggregate: Aggregate | undefined, swarm: string, queue: string): number | undefined {
  return aggregate?.depths?.[`ph.work.${swarm}.${queue}`];
}
