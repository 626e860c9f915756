import type { Task, TaskState } from '../../api/colony';
import { Badge } from '../../parts/badges';
import { priorityNames, stateNames } from './moves';

const tones = {
  waiting: '', pending: 'info', claimed: 'honey', in_progress: 'honey', blocked: 'warn', in_review: 'info', completed: 'good',
  failed: 'bad', cancelled: '', dead: 'bad',
} as const;

export function StateBadge(props: { state: TaskState }) {
  return <Badge tone={tones[props.state]} text={stateNames[props.state]} />;
}

export function PriorityBadge(props: { priority: number }) {
  const tone = props.priority === 0 ? 'bad' : props.priority === 1 ? 'warn' : '';
  return <Badge plain tone={tone} text={priorityNames[props.priority] ?? String(props.priority)} />;
}

export function Tags(props: { words: string[] | undefined }) {
  if (props.words === undefined || props.words.length === 0) return null;
  return <>{props.words.map((word) => <span key={word} className="tag">{word}</span>)}</>;
}

export function Holder(props: { id: string }) {
  return (
    <span className="holder">
      <span className="face" aria-hidden="true">{props.id.charAt(0)}</span>
      <span className="hidden-text">held by </span>{props.id}
    </span>
  );
}

export function Percent(props: { task: Pick<Task, 'percent' | 'ref'> }) {
  const { percent, ref } = props.task;
  if (percent === undefined) return null;
  return (
    <div className="percent">
      <div className="track" role="progressbar" aria-label={`Progress of ${ref}`} aria-valuenow={percent} aria-valuemin={0} aria-valuemax={100}>
        <i style={{ width: `${Math.min(100, percent)}%` }} />
      </div>
      <span className="num">{percent} %</span>
    </div>
  );
}
