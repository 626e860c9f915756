import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useRef, type CSSProperties, type KeyboardEvent } from 'react';
import { Link } from 'wouter';
import { taskAddress, type Machine, type Move, type Task } from '../../api/colony';
import { span } from '../../format';
import { MoreIcon } from '../../parts/icons';
import { Menu, MenuItem } from '../../parts/menu';
import { moveNames, movesOf, type Person } from './moves';
import { Holder, Percent, PriorityBadge, StateBadge, Tags } from './parts';

// Where a card stands in its column.
interface Placed {
  index: number;
  total: number;
  start: number;
  measure: (element: HTMLElement | null) => void;
}
export interface CardParts {
  task: Task;
  now: number;
  machine: Machine | undefined;
  me: Person;
  chosen: boolean;
  may: boolean;
  onMove: (task: Task, move: Move) => void;
  onChoose: (task: Task) => void;
  onDrag: (task: Task | undefined) => void;
  showState: boolean;
}
const Card = memo(function Card(props: CardParts & Placed) {
  const { task } = props;
  const moves = props.may ? movesOf(props.machine, task, props.me) : [];
  const quick = moves.filter((move) => !['progress', 'block', 'fail'].includes(move));
  const waits = task.waitingFor?.length ?? 0;
  return (
    <li
      ref={props.measure}
      className="task-card"
      data-index={props.index}
      aria-posinset={props.index + 1}
      aria-setsize={props.total}
      style={{ transform: `translateY(${props.start}px)` }}
      data-chosen={props.chosen}
      draggable={moves.length > 0}
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', task.ref);
        event.dataTransfer.effectAllowed = 'move';
        props.onDrag(task);
      }}
      onDragEnd={() => props.onDrag(undefined)}
    >
      <div className="top">
        {props.may && (
          <input type="checkbox" aria-label={`Select ${task.ref}`} checked={props.chosen} onChange={() => props.onChoose(task)} />
        )}
        <span className="mono ref">{task.ref}</span>
        <span className="grow" />
        <span className="age num" title={task.createdAt}>{span(props.now - Date.parse(task.createdAt))}</span>
        {quick.length > 0 && (
          <Menu trigger={<button type="button" className="button quiet icon small" aria-label={`Move ${task.ref}`}><MoreIcon /></button>}>
            {quick.map((move) => (
              <MenuItem key={move} danger={move === 'cancel'} onSelect={() => props.onMove(task, move)}>{moveNames[move]}</MenuItem>
            ))}
          </Menu>
        )}
      </div>
      <Link href={taskAddress(task.ref)} className="name-link title" draggable={false}>{task.title}</Link>
      {task.state === 'in_progress' && <Percent task={task} />}
      <div className="bottom">
        {props.showState && <StateBadge state={task.state} />}
        {task.priority !== 2 && <PriorityBadge priority={task.priority} />}
        <Tags words={task.tags} />
        {waits > 0 && <span className="muted">waits for {waits}</span>}
        {task.lease !== undefined && <Holder id={task.lease.holder} />}
        {task.lease === undefined && task.assignedTo !== undefined && task.assignedTo !== '' && <span className="muted">for {task.assignedTo}</span>}
      </div>
    </li>
  );
});

// Arrow keys go from card to card, sideways to the next column that has one.
function walk(event: KeyboardEvent<HTMLElement>): void {
  const here = (event.target as HTMLElement).closest('.task-card');
  if (here === null || !(event.target as HTMLElement).matches('.title')) return;
  const column = here.closest('.column');
  let to: Element | null | undefined;
  if (event.key === 'ArrowDown') to = here.nextElementSibling;
  else if (event.key === 'ArrowUp') to = here.previousElementSibling;
  else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
    const all = [...document.querySelectorAll('.column')].filter((each) => each === column || each.querySelector('.task-card') !== null);
    to = all[all.indexOf(column as Element) + (event.key === 'ArrowRight' ? 1 : -1)]?.querySelector('.task-card');
  } else return;
  event.preventDefault();
  to?.querySelector<HTMLElement>('.title')?.focus();
}

// How many cards before the end the next ones are asked for.
const ahead = 15;

// The cards of a column. However many there are, only those that are seen are drawn.
export function Cards(props: {
  tasks: Task[];
  name: string;
  total: number;
  dragged: Task | undefined;
  loading: boolean;
  onEnd?: () => void;
  card: (task: Task) => CardParts;
}) {
  const { tasks, dragged, onEnd } = props;
  const scroller = useRef<HTMLUListElement>(null);
  // A card that is dragged stays, or the browser would never say that it was dropped.
  const held = dragged === undefined ? -1 : tasks.findIndex((task) => task.id === dragged.id);
  const rangeExtractor = useCallback((range: Range) => {
    const seen = defaultRangeExtractor(range);
    return held < 0 || seen.includes(held) ? seen : [...seen, held].sort((a, b) => a - b);
  }, [held]);
  const rows = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 100,
    gap: 8,
    overscan: 6,
    getItemKey: (index) => tasks[index]?.id ?? index,
    rangeExtractor,
  });
  const shown = rows.getVirtualItems();
  const last = shown[shown.length - 1]?.index ?? 0;
  const near = last >= tasks.length - ahead;
  useEffect(() => {
    if (near) onEnd?.();
  });
  return (
    <ul className="cards-of" ref={scroller} onKeyDown={walk} aria-label={`${props.name}: tasks`} aria-busy={props.loading}
      style={{ '--room': `${rows.getTotalSize()}px` } as CSSProperties}>
      {shown.map((item) => {
        const task = tasks[item.index];
        return task === undefined ? null : (
          <Card key={item.key} {...props.card(task)} index={item.index} total={props.total} start={item.start} measure={rows.measureElement} />
        );
      })}
    </ul>
  );
}
