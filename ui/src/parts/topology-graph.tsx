import {
  BaseEdge,
  EdgeLabelRenderer,
  getBezierPath,
  Handle,
  Position,
  ReactFlow,
  useNodesState,
  type ReactFlowInstance,
  type Edge,
  type EdgeProps,
  type Node,
  type NodeProps,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useEffect, useMemo, useState } from 'react';
import type { Aggregate, Template } from '../api/model';
import { count, rate } from '../format';
import { healthTone } from './badges';
import { beeNow, depthOf, graphOf, placeOf, type BeeNow, type Graph } from './topology';
import './topology-graph.css';

type BeeData = { id: string; role: string; replicas: number; vertical: boolean; now: BeeNow | undefined };
type ArcData = { queue: string; depth: number | undefined; rate: number | undefined; selector?: string; running: boolean };

function BeeNode({ data }: NodeProps<Node<BeeData>>) {
  const { now } = data;
  const tone = now === undefined ? '' : healthTone(now.health);
  return (
    <div className={`bee-node ${tone}`} title={now?.trouble}>
      <Handle type="target" position={data.vertical ? Position.Top : Position.Left} isConnectable={false} />
      <span className="cell" aria-hidden="true" />
      <div className="words">
        <b>{data.id}</b>
        <span>{data.role === data.id ? `${data.replicas} ${data.replicas === 1 ? 'bee' : 'bees'}` : `${data.role}${data.replicas > 1 ? ` ×${data.replicas}` : ''}`}</span>
      </div>
      {now !== undefined && (
        <div className="now num">
          <b>{rate(now.rate)}</b>
          <span>{now.known > 1 && now.well < now.known ? `${now.health}, ${now.well} of ${now.known} well` : now.health}</span>
        </div>
      )}
      <Handle type="source" position={data.vertical ? Position.Bottom : Position.Right} isConnectable={false} />
    </div>
  );
}

function QueueEdge(props: EdgeProps<Edge<ArcData>>) {
  const [path, x, y] = getBezierPath(props);
  const { data } = props;
  if (data === undefined) return null;
  return (
    <>
      <BaseEdge path={path} className={data.running ? 'queue-edge moving' : 'queue-edge'} markerEnd={props.markerEnd} />
      <EdgeLabelRenderer>
        <div className="queue-label num" style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}>
          <span>{data.queue}</span>
          {data.depth !== undefined && (
            <b className={data.depth > 0 ? 'waiting' : ''}>
              {count(data.depth)} queued
            </b>
          )}
          {data.rate !== undefined && <span>{rate(data.rate)}</span>}
          {data.selector !== undefined && <code>{data.selector}</code>}
        </div>
      </EdgeLabelRenderer>
    </>
  );
}

const fitOptions = { padding: 0.06, maxZoom: 1 };
const nodeTypes = { bee: BeeNode };
const edgeTypes = { queue: QueueEdge };

function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia('(max-width: 700px)').matches);
  useEffect(() => {
    const query = matchMedia('(max-width: 700px)');
    const change = () => setNarrow(query.matches);
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  return narrow;
}

interface GraphParts {
  template: Template;
  swarm?: string;
  aggregate?: Aggregate;
  running?: boolean;
}

function nodesOf(graph: Graph, aggregate: Aggregate | undefined, vertical: boolean): Node<BeeData>[] {
  return graph.bees.map((bee) => ({
    id: bee.id,
    type: 'bee',
    position: placeOf(graph, bee, vertical),
    sourcePosition: vertical ? Position.Bottom : Position.Right,
    targetPosition: vertical ? Position.Top : Position.Left,
    ariaLabel: `Bee ${bee.id}, ${bee.role}`,
    data: { ...bee, vertical, now: aggregate === undefined ? undefined : beeNow(aggregate, bee.id) },
  }));
}

function Flow(props: GraphParts & { graph: Graph; vertical: boolean; box: HTMLElement | null }) {
  const { graph, swarm, aggregate, vertical } = props;
  const [nodes, setNodes, onNodesChange] = useNodesState(nodesOf(graph, aggregate, vertical));
  const [flow, setFlow] = useState<ReactFlowInstance<Node<BeeData>, Edge<ArcData>>>();
  const { box } = props;
  useEffect(() => {
    if (flow === undefined || box === null) return undefined;
    // All of it stays in sight when the window is made smaller or a phone is turned.
    const observer = new ResizeObserver(() => requestAnimationFrame(() => void flow.fitView(fitOptions)));
    observer.observe(box);
    return () => observer.disconnect();
  }, [flow, box]);
  useEffect(() => {
    const fresh = nodesOf(graph, aggregate, vertical);
    // What a person has moved stays where it was put: only what the bee says is new.
    setNodes((before) => before.map((node) => ({ ...node, data: fresh.find((each) => each.id === node.id)?.data ?? node.data })));
  }, [graph, aggregate, vertical, setNodes]);
  const edges = useMemo<Edge<ArcData>[]>(
    () =>
      graph.arcs.map((arc) => {
        const from = aggregate === undefined ? undefined : beeNow(aggregate, arc.from).rate;
        return {
          id: arc.id,
          type: 'queue',
          source: arc.from,
          target: arc.to,
          focusable: false,
          data: {
            queue: arc.queue,
            depth: swarm === undefined ? undefined : depthOf(aggregate, swarm, arc.queue),
            rate: from,
            selector: arc.selector,
            running: props.running === true && (from ?? 0) > 0,
          },
        };
      }),
    [graph, aggregate, swarm, props.running],
  );
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      onNodesChange={onNodesChange}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      nodesConnectable={false}
      deleteKeyCode={null}
      fitView
      fitViewOptions={fitOptions}
      onInit={setFlow}
      minZoom={0.3}
      maxZoom={1.5}
      zoomOnScroll={false}
      preventScrolling={false}
      proOptions={{ hideAttribution: true }}
    />
  );
}

export function TopologyGraph(props: GraphParts) {
  const vertical = useNarrow();
  const [box, setBox] = useState<HTMLElement | null>(null);
  // A template comes anew with every answer; the graph is another only when its words are.
  const words = JSON.stringify([props.template.bees.map((bee) => [bee.id, bee.role, bee.replicas, bee.work]), props.template.topology]);
  const graph = useMemo(() => graphOf(props.template), [words]);
  const deepest = Math.max(0, ...graph.bees.map((bee) => bee.layer));
  const widest = Math.max(1, ...graph.bees.map((bee) => bee.row + 1));
  return (
    <div ref={setBox} className="topology" style={{ height: vertical ? 110 + deepest * 150 : Math.min(560, 130 + (widest - 1) * 112) }}
      role="group" aria-label="Topology: bees and the queues between them">
      <Flow key={`${vertical ? 'down' : 'right'} ${words}`} {...props} graph={graph} vertical={vertical} box={box} />
    </div>
  );
}
