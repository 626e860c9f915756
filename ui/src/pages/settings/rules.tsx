import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { approvals, type Rule, type Stage } from '../../api/approvals';
import { call, fieldProblem } from '../../api/client';
import { useFresh } from '../../api/colony';
import { useMay } from '../../api/queries';
import { Badge } from '../../parts/badges';
import { Bones, Dialog, Empty, ErrorNote, Field, Note } from '../../parts/basics';
import { CloseIcon, MoreIcon, PlusIcon } from '../../parts/icons';
import { Menu, MenuItem } from '../../parts/menu';
import { tell, tellFailed } from '../../parts/toasts';
import { matchOf, stagesOf } from '../approvals/words';
import { draftOf, emptyDraft, ruleOf, type Draft, type StageDraft } from './rule-draft';
import './settings.css';

const effectWords = { ask: 'Ask', allow: 'Allow', deny: 'Deny' } as const;
const effectTones = { ask: 'honey', allow: 'good', deny: 'bad' } as const;
const effectHints = {
  ask: 'What matches waits until those below agree',
  allow: 'What matches is let through; rules of a higher rank are not asked',
  deny: 'What matches is refused',
} as const;

function StageFields(props: { index: number; stage: StageDraft; onChange: (stage: StageDraft) => void; onRemove?: () => void }) {
  const { stage, onChange } = props;
  const toggle = (role: string) => onChange({ ...stage, roles: stage.roles.includes(role) ? stage.roles.filter((each) => each !== role) : [...stage.roles, role] });
  return (
    <fieldset className="stage-fields">
      <legend>{props.index === 0 ? 'Who decides' : `Then, when nobody did (${props.index + 1})`}</legend>
      {props.onRemove !== undefined && (
        <button type="button" className="button quiet icon small" aria-label={`Remove step ${props.index + 1}`} onClick={props.onRemove}><CloseIcon /></button>
      )}
      <div className="row">
        {['human', 'admin'].map((role) => (
          <label key={role} className="check"><input type="checkbox" checked={stage.roles.includes(role)} onChange={() => toggle(role)} /> every {role}</label>
        ))}
      </div>
      <div className="stage-line">
        <Field label="And these people">
          {(parts) => <input {...parts} className="input" value={stage.people} placeholder="alice, bob" spellCheck={false} onChange={(event) => onChange({ ...stage, people: event.target.value })} />}
        </Field>
        <Field label="So many">
          {(parts) => <input {...parts} className="input" type="number" min={1} max={100} value={stage.quorum} onChange={(event) => onChange({ ...stage, quorum: event.target.value })} />}
        </Field>
        <Field label="Within">
          {(parts) => <input {...parts} className="input" value={stage.within} placeholder="1h" onChange={(event) => onChange({ ...stage, within: event.target.value })} />}
        </Field>
      </div>
    </fieldset>
  );
}

function RuleDialog(props: { rule?: Rule; onClose: () => void }) {
  const { rule } = props;
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft>(() => (rule === undefined ? emptyDraft : draftOf(rule)));
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const keep = useMutation({
    mutationFn: async () => {
      const body = ruleOf(draft);
      if (rule === undefined) await call('post', '/api/v1/approval-rules', { body });
      else await call('put', '/api/v1/approval-rules/{rule}', { path: { rule: rule.id }, body, ifMatch: `"r${rule.revision}"` });
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: approvals.rules });
      tell('good', `The rule “${draft.name}” is kept`);
      props.onClose();
    },
  });
  const text = (name: 'tags' | 'tasks' | 'channels' | 'swarms', label: string, placeholder: string) => (
    <Field label={label} wrong={fieldProblem(keep.error, `/match/${name}`)}>
      {(parts) => <input {...parts} className="input mono" value={draft[name]} placeholder={placeholder} spellCheck={false} onChange={(event) => set({ [name]: event.target.value })} />}
    </Field>
  );
  return (
    <Dialog wide title={rule === undefined ? 'New rule' : `Rule “${rule.name}”`} onClose={props.onClose}
      foot={
        <>
          <button type="button" className="button" onClick={props.onClose}>Cancel</button>
          <button type="submit" form="rule" className="button primary" disabled={draft.name.trim() === '' || draft.acts.trim() === '' || keep.isPending}>Keep</button>
        </>
      }>
      <form id="rule" className="stack" onSubmit={(event) => { event.preventDefault(); keep.mutate(); }}>
        <div className="grid-2">
          <Field label="Name" hint="Shown with every request it makes" wrong={fieldProblem(keep.error, '/name')}>
            {(parts) => <input {...parts} className="input" value={draft.name} maxLength={100} onChange={(event) => set({ name: event.target.value })} />}
          </Field>
          <Field label="Rank" hint="The lowest that matches decides">
            {(parts) => <input {...parts} className="input" type="number" min={0} max={1000000} value={draft.rank} onChange={(event) => set({ rank: event.target.value })} />}
          </Field>
          <Field label="What is done" hint="Such as task.complete, swarm.start, channel.post; * stands for anything" wrong={fieldProblem(keep.error, '/match/acts')}>
            {(parts) => <input {...parts} className="input mono" value={draft.acts} placeholder="swarm.start" spellCheck={false} onChange={(event) => set({ acts: event.target.value })} />}
          </Field>
          <Field label="Then" hint={effectHints[draft.effect]}>
            {(parts) => (
              <select {...parts} className="input" value={draft.effect} onChange={(event) => set({ effect: event.target.value as Draft['effect'] })}>
                {(['ask', 'allow', 'deny'] as const).map((each) => <option key={each} value={each}>{effectWords[each]}</option>)}
              </select>
            )}
          </Field>
        </div>
        <fieldset className="stage-fields">
          <legend>Only for</legend>
          <div className="grid-2">
            {text('swarms', 'Swarms', 'prod-*')}
            {text('tasks', 'Tasks', 'TASK-*')}
            {text('channels', 'Channels', 'release')}
            {text('tags', 'With all these tags', 'deploy')}
            <Field label="Priority of the task" hint="This or more urgent">
              {(parts) => (
                <select {...parts} className="input" value={draft.priority} onChange={(event) => set({ priority: event.target.value })}>
                  <option value="">any</option>{[0, 1, 2, 3, 4].map((each) => <option key={each}>{each}</option>)}
                </select>
              )}
            </Field>
            <Field label="Asked by">
              {(parts) => (
                <select {...parts} className="input" value={draft.from} onChange={(event) => set({ from: event.target.value })}>
                  <option value="">anybody</option><option value="bee">bees</option><option value="human">people</option><option value="bee,human">bees and people</option>
                </select>
              )}
            </Field>
          </div>
        </fieldset>
        {draft.effect === 'ask' && draft.stages.map((stage, index) => (
          <StageFields key={index} index={index} stage={stage}
            onChange={(after) => set({ stages: draft.stages.map((each, at) => (at === index ? after : each)) })}
            {...(draft.stages.length > 1 ? { onRemove: () => set({ stages: draft.stages.filter((_, at) => at !== index) }) } : {})} />
        ))}
        {draft.effect === 'ask' && (
          <div>
            <button type="button" className="button small" disabled={draft.stages.length >= 5} onClick={() => set({ stages: [...draft.stages, { roles: ['admin'], people: '', quorum: '1', within: '4h' }] })}>
              <PlusIcon /> Ask others when the time is up
            </button>
          </div>
        )}
        {keep.isError && <ErrorNote error={keep.error} />}
      </form>
    </Dialog>
  );
}

export function Rules() {
  const client = useQueryClient();
  const may = useMay('approvals', 'admin');
  const rules = useQuery({
    queryKey: approvals.rules,
    queryFn: async () => ((await call('get', '/api/v1/approval-rules')) as { items: Rule[] }).items,
  });
  useFresh(['approval.#'], approvals.rules);
  const [open, setOpen] = useState<Rule | 'new'>();
  const [removing, setRemoving] = useState<Rule>();
  const refresh = () => void client.invalidateQueries({ queryKey: approvals.rules });
  const turn = useMutation({
    mutationFn: (rule: Rule) => call('put', '/api/v1/approval-rules/{rule}', { path: { rule: rule.id }, ifMatch: `"r${rule.revision}"`, body: { ...ruleOf(draftOf(rule)), enabled: !rule.enabled } }),
    onSuccess: refresh,
    onError: (error) => tellFailed('The rule stays as it is', error),
  });
  const remove = useMutation({
    mutationFn: (rule: Rule) => call('delete', '/api/v1/approval-rules/{rule}', { path: { rule: rule.id } }),
    onSuccess: (_, rule) => {
      setRemoving(undefined);
      tell('good', `The rule “${rule.name}” is removed`);
      refresh();
    },
  });
  const make = may && <button type="button" className="button primary" onClick={() => setOpen('new')}><PlusIcon /> New rule</button>;
  const items = rules.data ?? [];
  return (
    <section className="panel" aria-label="Approval rules">
      <header><h2>Approval rules</h2>{make}</header>
      {rules.isPending && <Bones />}
      {rules.isError && <div className="body"><ErrorNote error={rules.error} retry={() => void rules.refetch()} /></div>}
      {rules.isSuccess && items.length === 0 && <Empty title="No rule yet" action={make}>Without rules nothing is held back. A rule says what needs somebody’s consent, and whose.</Empty>}
      {items.length > 0 && (
        <div className="table-scroll" tabIndex={0} role="group" aria-label="Approval rules, scrolls sideways">
          <table className="table stacks">
            <thead><tr><th scope="col" className="right">Rank</th><th scope="col">Rule</th><th scope="col">Then</th><th scope="col">Who decides</th><th scope="col">State</th><th scope="col"><span className="hidden-text">Actions</span></th></tr></thead>
            <tbody>
              {items.map((rule) => (
                <tr key={rule.id}>
                  <td className="right fit" data-label="rank">{rule.rank}</td>
                  <td className="wrap lead"><b>{rule.name}</b><div className="small muted">{matchOf(rule.match)}</div></td>
                  <td className="fit"><Badge plain tone={effectTones[rule.effect]} text={effectWords[rule.effect]} /></td>
                  <td className={rule.effect === 'ask' ? 'wrap' : 'wrap blank'}>{rule.effect === 'ask' ? stagesOf(rule.stages as Stage[] | undefined) : '–'}</td>
                  <td className="fit"><Badge tone={rule.enabled ? 'good' : ''} text={rule.enabled ? 'On' : 'Off'} /></td>
                  <td className="fit">
                    {may && (
                      <Menu trigger={<button type="button" className="button quiet icon small" aria-label={`More for ${rule.name}`}><MoreIcon /></button>}>
                        <MenuItem onSelect={() => setOpen(rule)}>Change…</MenuItem>
                        <MenuItem onSelect={() => turn.mutate(rule)}>{rule.enabled ? 'Turn off' : 'Turn on'}</MenuItem>
                        <MenuItem danger onSelect={() => setRemoving(rule)}>Remove…</MenuItem>
                      </Menu>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!may && rules.isSuccess && <div className="body"><Note>Only administrators change rules.</Note></div>}
      {open !== undefined && <RuleDialog key={open === 'new' ? 'new' : open.id} {...(open === 'new' ? {} : { rule: open })} onClose={() => setOpen(undefined)} />}
      {removing !== undefined && (
        <Dialog title={`Remove “${removing.name}”?`} onClose={() => setRemoving(undefined)}
          foot={
            <>
              <button type="button" className="button" onClick={() => setRemoving(undefined)}>Keep it</button>
              <button type="button" className="button danger" disabled={remove.isPending} onClick={() => remove.mutate(removing)}>Remove</button>
            </>
          }>
          <p className="small">It asks nobody any more. Requests that it made stay open until they are decided.</p>
          {remove.isError && <ErrorNote error={remove.error} />}
        </Dialog>
      )}
    </section>
  );
}
