import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { approvalAddress } from '../../api/approvals';
import { call, fieldProblem } from '../../api/client';
import { costs, useBudgets, type Budget } from '../../api/costs';
import { useMay } from '../../api/queries';
import { Badge } from '../../parts/badges';
import { Bones, Dialog, Empty, ErrorNote, Field } from '../../parts/basics';
import { MoreIcon, PlusIcon } from '../../parts/icons';
import { Menu, MenuItem } from '../../parts/menu';
import { tell } from '../../parts/toasts';
import { limitText, scopeText, spentOf, unitOf, type Measure } from './sums';
import './costs.css';

const actionWords = { warn: 'then it is said', ask: 'then somebody has to approve more', stop: 'then nothing new begins' } as const;
const actionTones = { warn: '', ask: 'honey', stop: 'warn' } as const;
const measureNames: Record<Measure, string> = { money: 'money', tokens: 'tokens', cpu: 'seconds of CPU' };
const shownMax = 4;

function BudgetDialog(props: { budget?: Budget; onClose: () => void }) {
  const { budget } = props;
  const client = useQueryClient();
  const [name, setName] = useState(budget?.name ?? '');
  const [scope, setScope] = useState<Budget['scope']>(budget?.scope ?? 'bee');
  const [subject, setSubject] = useState(budget === undefined || budget.subject === '*' ? '' : budget.subject);
  const [period, setPeriod] = useState<Budget['period']>(budget?.period ?? 'day');
  const [measure, setMeasure] = useState<Measure>(budget?.measure ?? 'money');
  const [limit, setLimit] = useState(budget === undefined ? '' : String(budget.limit / unitOf[budget.measure]));
  const [warn, setWarn] = useState(String(budget?.warnPercent ?? 80));
  const [action, setAction] = useState<Budget['action']>(budget?.action ?? 'warn');
  const keep = useMutation({
    mutationFn: async () => {
      const body = {
        name: name.trim(), scope, period, measure, action, limit: Math.round(Number(limit) * unitOf[measure]), warnPercent: Number(warn) || 80,
        ...(scope !== 'hive' && subject.trim() !== '' ? { subject: subject.trim() } : {}), ...(budget === undefined ? {} : { enabled: budget.enabled }),
      };
      if (budget === undefined) await call('post', '/api/v1/budgets', { body });
      else await call('put', '/api/v1/budgets/{budget}', { path: { budget: budget.id }, body, ifMatch: `"r${budget.revision}"` });
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: costs.all });
      tell('good', `The budget “${name}” is kept`);
      props.onClose();
    },
  });
  return (
    <Dialog title={budget === undefined ? 'New budget' : `Budget “${budget.name}”`} onClose={props.onClose}
      foot={
        <>
          <button type="button" className="button" onClick={props.onClose}>Cancel</button>
          <button type="submit" form="budget" className="button primary" disabled={name.trim() === '' || !(Number(limit) > 0) || keep.isPending}>Keep</button>
        </>
      }>
      <form id="budget" className="stack" onSubmit={(event) => { event.preventDefault(); keep.mutate(); }}>
        <Field label="Name" wrong={fieldProblem(keep.error, '/name')}>
          {(parts) => <input {...parts} className="input" value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <div className="grid-2">
          <Field label="Of">
            {(parts) => <select {...parts} className="input" value={scope} onChange={(event) => setScope(event.target.value as Budget['scope'])}><option value="bee">bees</option><option value="task">tasks</option><option value="hive">the whole hive</option></select>}
          </Field>
          <Field label="Which" hint="Empty: each of them by itself" wrong={fieldProblem(keep.error, '/subject')}>
            {(parts) => <input {...parts} className="input" value={scope === 'hive' ? '' : subject} disabled={scope === 'hive'} spellCheck={false} onChange={(event) => setSubject(event.target.value)} />}
          </Field>
          <Field label="Limit" hint={`in ${measureNames[measure]}`} wrong={fieldProblem(keep.error, '/limit')}>
            {(parts) => <input {...parts} className="input" inputMode="decimal" value={limit} placeholder="5" onChange={(event) => setLimit(event.target.value)} />}
          </Field>
          <Field label="Counts">
            {(parts) => <select {...parts} className="input" value={measure} onChange={(event) => setMeasure(event.target.value as Measure)}>{(Object.keys(measureNames) as Measure[]).map((each) => <option key={each} value={each}>{measureNames[each]}</option>)}</select>}
          </Field>
          <Field label="Period">
            {(parts) => <select {...parts} className="input" value={period} onChange={(event) => setPeriod(event.target.value as Budget['period'])}><option value="day">each day</option><option value="total">in all</option></select>}
          </Field>
          <Field label="Warn at" hint="per cent of the limit">
            {(parts) => <input {...parts} className="input" type="number" min={1} max={100} value={warn} onChange={(event) => setWarn(event.target.value)} />}
          </Field>
        </div>
        <Field label="When it is used up">
          {(parts) => (
            <select {...parts} className="input" value={action} onChange={(event) => setAction(event.target.value as Budget['action'])}>
              <option value="warn">Say so</option><option value="ask">Hold back, and ask people for as much again</option><option value="stop">Hold back</option>
            </select>
          )}
        </Field>
        {keep.isError && <ErrorNote error={keep.error} />}
      </form>
    </Dialog>
  );
}

function OneBudget(props: { budget: Budget; may: boolean; onChange: () => void; onRemove: () => void }) {
  const { budget } = props;
  const whole = useQuery({
    queryKey: [...costs.budgets, budget.id],
    queryFn: async () => (await call('get', '/api/v1/budgets/{budget}', { path: { budget: budget.id } })) as Budget,
  });
  const spent = spentOf(whole.data ?? budget);
  return (
    <li className="budget">
      <div className="row">
        <b className="grow">{budget.name}</b>
        {!budget.enabled && <Badge tone="" text="Off" />}
        {props.may && (
          <Menu trigger={<button type="button" className="button quiet icon small" aria-label={`More for the budget ${budget.name}`}><MoreIcon /></button>}>
            <MenuItem onSelect={props.onChange}>Change…</MenuItem>
            <MenuItem danger onSelect={props.onRemove}>Remove…</MenuItem>
          </Menu>
        )}
      </div>
      <p className="small muted">{limitText(budget.limit, budget.measure)}{budget.measure === 'tokens' && ' tokens'} for {scopeText(budget)}; <Badge plain tone={actionTones[budget.action]} text={actionWords[budget.action]} /></p>
      {whole.isSuccess && spent.length === 0 && <p className="small muted">Nothing of it is used.</p>}
      {spent.slice(0, shownMax).map((each) => (
        <div className="spent" key={`${each.subject}${each.period}`}>
          <span>{each.subject === '' ? 'the hive' : each.subject} {each.approval !== undefined && <Link href={approvalAddress(each.approval)}>asks for more</Link>}</span>
          <span className="num"><b>{limitText(each.spent, budget.measure)}</b> of {limitText(each.limit, budget.measure)}</span>
          <span className="bar" role="progressbar" aria-label={`${budget.name}: ${each.subject === '' ? 'the hive' : each.subject}`} aria-valuenow={Math.min(100, Math.round(each.share * 100))} aria-valuemin={0} aria-valuemax={100}>
            <i data-state={each.state} style={{ width: `${Math.min(100, each.share * 100)}%` }} />
          </span>
        </div>
      ))}
      {spent.length > shownMax && <p className="small muted">and {spent.length - shownMax} more</p>}
    </li>
  );
}

export function Budgets() {
  const client = useQueryClient();
  const budgets = useBudgets();
  const may = useMay('costs', 'admin');
  const [open, setOpen] = useState<Budget | 'new'>();
  const [removing, setRemoving] = useState<Budget>();
  const remove = useMutation({
    mutationFn: (budget: Budget) => call('delete', '/api/v1/budgets/{budget}', { path: { budget: budget.id } }),
    onSuccess: (_, budget) => {
      setRemoving(undefined);
      tell('good', `The budget “${budget.name}” is removed`);
      void client.invalidateQueries({ queryKey: costs.all });
    },
  });
  const make = may && <button type="button" className="button primary" onClick={() => setOpen('new')}><PlusIcon /> New budget</button>;
  const items = budgets.data ?? [];
  return (
    <section className="panel" aria-label="Budgets">
      <header><h2>Budgets</h2>{make}</header>
      {budgets.isPending && <Bones rows={3} />}
      {budgets.isError && <div className="body"><ErrorNote error={budgets.error} retry={() => void budgets.refetch()} /></div>}
      {budgets.isSuccess && items.length === 0 && <Empty title="No budget yet">A budget says how much a bee, a task or the whole hive may spend, and what happens then.</Empty>}
      {items.length > 0 && <ul className="budgets">{items.map((budget) => <OneBudget key={budget.id} budget={budget} may={may} onChange={() => setOpen(budget)} onRemove={() => setRemoving(budget)} />)}</ul>}
      {open !== undefined && <BudgetDialog key={open === 'new' ? 'new' : open.id} {...(open === 'new' ? {} : { budget: open })} onClose={() => setOpen(undefined)} />}
      {removing !== undefined && (
        <Dialog title={`Remove “${removing.name}”?`} onClose={() => setRemoving(undefined)}
          foot={
            <>
              <button type="button" className="button" onClick={() => setRemoving(undefined)}>Keep it</button>
              <button type="button" className="button danger" disabled={remove.isPending} onClick={() => remove.mutate(removing)}>Remove</button>
            </>
          }>
          <p className="small">Nothing is held back by it any more. What was spent stays recorded.</p>
          {remove.isError && <ErrorNote error={remove.error} />}
        </Dialog>
      )}
    </section>
  );
}
