import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { call, ProblemError } from '../../api/client';
import { colony, getTask, isSwollen, moveTask, useBees, useLiveSoon, useMachine, type Machine, type Move, type Task } from '../../api/colony';
import { useMay, useMe } from '../../api/queries';
import { count } from '../../format';
import { Bones, Empty, ErrorNote, Field, useNow, useTitle } from '../../parts/basics';
import { CloseIcon, PlusIcon } from '../../parts/icons';
import { tell, tellFailed } from '../../parts/toasts';
import { Cards } from './cards';
import { CreateTask } from './create-task';
import {
  columns, dropMove, fits, listed, movedNames, moveNames, movesOf, noFilter, placed, priorityNames,
  type ColumnPages, type ColumnPlan, type Cursors, type Person, type TaskFilter,
} from './moves';
import './tasks.css';

const boardKey = (column: ColumnPlan, filter: TaskFilter) => [...colony.board, column.id, filter];

// One page of a column: of each of its states as many, and where each goes on.
async function columnPage(column: ColumnPlan, filter: TaskFilter, at: Cursors) {
  const first = Object.keys(at).length === 0;
  const states = first ? column.states : column.states.filter((state) => at[state] !== undefined);
  const answers = await Promise.all(
    states.map((state) =>
      call('get', '/api/v1/tasks', { query: { ...filter, state, order: column.order, limit: Math.ceil(100 / column.states.length), cursor: at[state] } }),
    ),
  );
  const next: Cursors = {};
  answers.forEach((answer, index) => {
    const state = states[index];
    if (state !== undefined && answer.next !== undefined) next[state] = answer.next;
  });
  return { items: answers.flatMap((answer) => answer.items), next };
}

function useBoard(filter: TaskFilter) {
  const client = useQueryClient();
  const place = useCallback((task: Task) => {
    for (const column of columns) {
      const wanted = column.states.includes(task.state) && fits(task, filter);
      const grown = client.setQueryData<ColumnPages>(boardKey(column, filter), (pages) => placed(pages, task, wanted));
      if (isSwollen(grown)) void client.invalidateQueries({ queryKey: boardKey(column, filter) });
    }
  }, [client, filter]);
  useLiveSoon(['task.#'], (data) => (data as { task_id: string }).task_id, (heard) => {
    const ids = [...new Set(heard)];
    void client.invalidateQueries({ queryKey: colony.counts });
    // Few are fetched and put where they belong; after many the columns are asked for as they are.
    if (ids.length > 20) void client.invalidateQueries({ queryKey: colony.board });
    else for (const id of ids) getTask(id).then(place, () => undefined);
  });
  return place;
}

function Column(props: {
  plan: ColumnPlan;
  filter: TaskFilter;
  total: number | undefined;
  machine: Machine | undefined;
  me: Person;
  may: boolean;
  now: number;
  dragged: Task | undefined;
  chosen: Map<string, Task>;
  onMove: (task: Task, move: Move) => void;
  onChoose: (task: Task) => void;
  onDrag: (task: Task | undefined) => void;
}) {
  const { plan, filter, dragged } = props;
  const [over, setOver] = useState(false);
  const pages = useInfiniteQuery({
    queryKey: boardKey(plan, filter),
    initialPageParam: {} as Cursors,
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam }) => columnPage(plan, filter, pageParam),
    getNextPageParam: (last) => (Object.keys(last.next).length === 0 ? undefined : last.next),
  });
  const tasks = useMemo(() => listed(pages.data, plan.order), [pages.data, plan.order]);
  const drop = dragged === undefined || !props.may ? undefined : dropMove(props.machine, dragged, plan, props.me);
  const number = filter === noFilter && props.total !== undefined ? Math.max(props.total, tasks.length) : tasks.length;
  return (
    <section
      className="column"
      aria-label={`${plan.name}, ${number}`}
      data-drop={drop === undefined ? (dragged === undefined ? undefined : 'no') : over ? 'here' : 'yes'}
      onDragOver={(event) => {
        if (drop === undefined) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (dragged !== undefined && drop !== undefined) props.onMove(dragged, drop);
      }}
    >
      <h2>{plan.name} <span className="n num">{count(number)}{filter !== noFilter && pages.hasNextPage ? '+' : ''}</span></h2>
      {drop !== undefined && <div className="drop-word">{moveNames[drop]}</div>}
      {pages.isPending && <Bones rows={4} height={64} />}
      {pages.isError && <ErrorNote error={pages.error} retry={() => void pages.refetch()} />}
      {pages.isSuccess && tasks.length === 0 && <p className="nothing">{filter === noFilter ? plan.empty : 'Nothing here fits the filters.'}</p>}
      {tasks.length > 0 && (
        <Cards tasks={tasks} name={plan.name} total={number} dragged={dragged} loading={pages.isFetchingNextPage}
          {...(pages.hasNextPage ? { onEnd: () => void (pages.isFetchingNextPage ? undefined : pages.fetchNextPage()) } : {})}
          card={(task) => ({
            task, now: props.now, may: props.may, chosen: props.chosen.has(task.id), showState: plan.states.length > 1, machine: props.machine,
            me: props.me, onMove: props.onMove, onChoose: props.onChoose, onDrag: props.onDrag,
          })} />
      )}
    </section>
  );
}

// Each for itself: what is refused does not keep the others.
async function moveAll(tasks: Task[], move: Move): Promise<{ done: Task[]; refused: string[] }> {
  const done: Task[] = [];
  const refused: string[] = [];
  const left = [...tasks];
  const work = async () => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) {
      try {
        done.push(await moveTask(task.id, move));
      } catch (error) {
        refused.push(error instanceof ProblemError ? error.problem.detail : String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  return { done, refused };
}

function Chosen(props: { tasks: Task[]; machine: Machine | undefined; me: Person; onClear: () => void; onDone: (task: Task) => void }) {
  const [busy, setBusy] = useState(false);
  const able = (move: Move) => props.tasks.filter((task) => movesOf(props.machine, task, props.me).includes(move)).length;
  const act = (move: Move) => {
    setBusy(true);
    void moveAll(props.tasks, move).then(({ done, refused }) => {
      done.forEach(props.onDone);
      setBusy(false);
      props.onClear();
      if (done.length > 0) tell('good', `${done.length} ${done.length === 1 ? 'task is' : 'tasks are'} ${movedNames[move]}`);
      if (refused.length > 0) tell('bad', `${refused.length} could not be`, refused.slice(0, 3).join('; '));
    });
  };
  return (
    <div className="chosen" role="region" aria-label="Selected tasks">
      <b className="num">{props.tasks.length} selected</b>
      <span className="grow" />
      <button type="button" className="button small" disabled={busy || able('redrive') === 0} onClick={() => act('redrive')}>Drive again</button>
      <button type="button" className="button small danger" disabled={busy || able('cancel') === 0} onClick={() => act('cancel')}>Cancel them</button>
      <button type="button" className="button quiet icon small" aria-label="Select none" onClick={props.onClear}><CloseIcon /></button>
    </div>
  );
}

export default function TasksPage() {
  useTitle('Tasks');
  const [search, setSearch] = useSearchParams();
  const key = search.toString();
  const [filter, setFilter] = useState(noFilter);
  const [text, setText] = useState(search.get('q') ?? '');
  useEffect(() => {
    const at = new URLSearchParams(key);
    const now = { q: at.get('q') ?? '', tag: at.get('tag') ?? '', priority: at.get('priority') ?? '', holder: at.get('holder') ?? '' };
    setFilter(Object.values(now).every((each) => each === '') ? noFilter : now);
  }, [key]);
  const set = useCallback((name: keyof TaskFilter, value: string) => {
    setSearch((before) => {
      const after = new URLSearchParams(before);
      if (value === '') after.delete(name);
      else after.set(name, value);
      return after;
    }, { replace: true });
  }, [setSearch]);
  useEffect(() => {
    if (text === (new URLSearchParams(key).get('q') ?? '')) return undefined;
    const timer = setTimeout(() => set('q', text), 250);
    return () => clearTimeout(timer);
  }, [text, key, set]);

  const place = useBoard(filter);
  const machine = useMachine();
  const bees = useBees();
  const me = useMe();
  const who = useMemo(() => ({ id: me.data?.id ?? '', role: me.data?.role ?? '' }), [me.data?.id, me.data?.role]);
  const may = useMay('tasks', 'write');
  const now = useNow(10_000);
  const counts = useQuery({ queryKey: colony.counts, queryFn: () => call('get', '/api/v1/tasks/counts') });
  const [creating, setCreating] = useState(false);
  const [dragged, setDragged] = useState<Task>();
  const [chosen, setChosen] = useState(() => new Map<string, Task>());
  const onChoose = useCallback((task: Task) => {
    setChosen((before) => {
      const after = new Map(before);
      if (!after.delete(task.id)) after.set(task.id, task);
      return after;
    });
  }, []);
  const onMove = useCallback((task: Task, move: Move) => {
    setDragged(undefined);
    moveTask(task.id, move).then(
      (after) => {
        place(after);
        tell('good', `${task.ref} is ${movedNames[move]}`);
      },
      (error: unknown) => tellFailed(`${task.ref} stays as it is`, error),
    );
  }, [place]);
  const totalOf = (plan: ColumnPlan) => (counts.data === undefined ? undefined : plan.states.reduce((sum, state) => sum + (counts.data[state] ?? 0), 0));
  const none = counts.isSuccess && Object.values(counts.data).every((each) => each === 0);
  const create = may && (
    <button type="button" className="button primary" onClick={() => setCreating(true)}><PlusIcon /> New task</button>
  );
  return (
    <div className="page broad">
      <div className="page-head">
        <div className="titles">
          <h1>Tasks</h1>
          <p>What is to be done, who does it, and how far it is.{may ? ' Drag a card, or use its menu.' : ''}</p>
        </div>
        {create}
      </div>
      {none ? (
        <section className="panel">
          <Empty title="No task yet" action={create}>
            Bees take tasks by themselves, the most urgent first. Make one here, with <code>hive task create</code>, or over the API
            {may ? '' : '; your role may only watch, so ask somebody who may'}.
          </Empty>
        </section>
      ) : (
        <>
          <form className="filters" role="search" aria-label="Tasks" onSubmit={(event) => event.preventDefault()}>
            <Field label="Find">
              {(parts) => <input {...parts} className="input" type="search" value={text} placeholder="part of the title" onChange={(event) => setText(event.target.value)} />}
            </Field>
            <Field label="Tag">
              {(parts) => <input {...parts} className="input" value={filter.tag} placeholder="any" spellCheck={false} autoComplete="off" onChange={(event) => set('tag', event.target.value.trim())} />}
            </Field>
            <Field label="Priority">
              {(parts) => (
                <select {...parts} className="input" value={filter.priority} onChange={(event) => set('priority', event.target.value)}>
                  <option value="">any</option>
                  {priorityNames.map((name, index) => <option key={name} value={index}>{index} · {name}</option>)}
                </select>
              )}
            </Field>
            <Field label="Held by">
              {(parts) => (
                <select {...parts} className="input" value={filter.holder} onChange={(event) => set('holder', event.target.value)}>
                  <option value="">anybody</option>
                  {[...new Set([...(bees.data ?? []).map((bee) => bee.id), who.id, filter.holder])].filter((id) => id !== '').map((id) => <option key={id}>{id}</option>)}
                </select>
              )}
            </Field>
            {filter !== noFilter && (
              <button type="button" className="button quiet" onClick={() => { setText(''); setSearch(new URLSearchParams(), { replace: true }); }}>Show all</button>
            )}
          </form>
          <div className="board" tabIndex={0} role="group" aria-label="Board, scrolls sideways">
            {columns.map((plan) => (
              <Column key={plan.id} plan={plan} filter={filter} total={totalOf(plan)} machine={machine.data} me={who} may={may} now={now} dragged={dragged}
                chosen={chosen} onMove={onMove} onChoose={onChoose} onDrag={setDragged} />
            ))}
          </div>
        </>
      )}
      {chosen.size > 0 && (
        <Chosen tasks={[...chosen.values()]} machine={machine.data} me={who} onClear={() => setChosen(new Map())} onDone={place} />
      )}
      {creating && (
        <CreateTask onClose={() => setCreating(false)}
          onMade={(task) => {
            setCreating(false);
            place(task);
          }} />
      )}
    </div>
  );
}
