import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, fieldProblem, type Schemas } from '../../api/client';
import { useMay, useMe } from '../../api/queries';
import { useLive } from '../../api/use-live';
import { ago, dateTime } from '../../format';
import { Bones, Dialog, ErrorNote, Field, useNow } from '../../parts/basics';
import { Badge } from '../../parts/badges';
import { ExitIcon, PlusIcon } from '../../parts/icons';
import { tell } from '../../parts/toasts';
import { roleWords, SecretDialog, type Secret } from './secret';

type Session = Schemas['Session'];
const sessionsKey = ['sessions'];

function NewLink(props: { onClose: () => void; onMade: (url: string) => void }) {
  const [person, setPerson] = useState('');
  const [role, setRole] = useState('readonly');
  const make = useMutation({
    mutationFn: () => call('post', '/api/v1/login-links', { body: { person, role } }),
    onSuccess: (made) => props.onMade(made.url),
  });
  return (
    <Dialog title="Invite a person" onClose={props.onClose}
      foot={
        <>
          <button type="button" className="button" onClick={props.onClose}>Cancel</button>
          <button type="submit" form="new-link" className="button primary" disabled={person === '' || make.isPending}>Make a link</button>
        </>
      }>
      <form id="new-link" className="stack" onSubmit={(event) => { event.preventDefault(); make.mutate(); }}>
        <Field label="Person" hint="How the audit will call them" wrong={fieldProblem(make.error, '/person')}>
          {(parts) => <input {...parts} className="input" value={person} autoComplete="off" onChange={(event) => setPerson(event.target.value)} />}
        </Field>
        <Field label="Role" hint={roleWords[role]}>
          {(parts) => <select {...parts} className="input" value={role} onChange={(event) => setRole(event.target.value)}>{['readonly', 'human', 'admin'].map((each) => <option key={each}>{each}</option>)}</select>}
        </Field>
        {make.isError && <ErrorNote error={make.error} />}
      </form>
    </Dialog>
  );
}

function Sessions() {
  const client = useQueryClient();
  const me = useMe().data;
  const now = useNow();
  const may = useMay('keys', 'admin');
  const [inviting, setInviting] = useState(false);
  const [secret, setSecret] = useState<Secret>();
  const [leaving, setLeaving] = useState<Session>();
  const sessions = useInfiniteQuery({
    queryKey: sessionsKey,
    initialPageParam: '',
    queryFn: async ({ pageParam }) => (await call('get', '/api/v1/sessions', { query: { limit: 20, cursor: pageParam } })) as { items: Session[]; next?: string },
    getNextPageParam: (last) => last.next,
  });
  useLive(['auth.#'], () => void client.invalidateQueries({ queryKey: sessionsKey }));
  const end = useMutation({
    mutationFn: (session: Session) => call('delete', '/api/v1/sessions/{sessionId}', { path: { sessionId: session.id } }),
    onSuccess: (_, session) => {
      setLeaving(undefined);
      tell('good', `${session.person} is signed out`);
      void client.invalidateQueries({ queryKey: sessionsKey });
    },
  });
  const items = (sessions.data?.pages ?? []).flatMap((page) => page.items);
  return (
    <section className="panel" aria-label="People">
      <header>
        <h2>Who is signed in</h2>
        {may && <button type="button" className="button primary" onClick={() => setInviting(true)}><PlusIcon /> Invite a person</button>}
      </header>
      {sessions.isPending && <Bones rows={3} />}
      {sessions.isError && <div className="body"><ErrorNote error={sessions.error} retry={() => void sessions.refetch()} /></div>}
      {items.length > 0 && (
        <div className="table-scroll" tabIndex={0} role="group" aria-label="People, scrolls sideways">
          <table className="table stacks">
            <thead><tr><th scope="col">Person</th><th scope="col">Role</th><th scope="col">Since</th><th scope="col">Last seen</th><th scope="col"><span className="hidden-text">Actions</span></th></tr></thead>
            <tbody>
              {items.map((session) => (
                <tr key={session.id}>
                  <td className="lead"><b>{session.person}</b> {session.id === me?.proofId && <Badge plain tone="honey" text="this browser" />}</td>
                  <td>{session.role}</td>
                  <td className="fit" data-label="since" title={dateTime(session.created)}>{ago(session.created, now)}</td>
                  <td className="fit" data-label="seen" title={dateTime(session.lastSeen)}>{ago(session.lastSeen, now)}</td>
                  <td className="fit">
                    {may && session.id !== me?.proofId && (
                      <button type="button" className="button small quiet" onClick={() => setLeaving(session)}><ExitIcon /> Sign out<span className="hidden-text"> {session.person}</span></button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {sessions.hasNextPage && <div className="body"><button type="button" className="button small" disabled={sessions.isFetchingNextPage} onClick={() => void sessions.fetchNextPage()}>Who signed in before</button></div>}
      {inviting && (
        <NewLink onClose={() => setInviting(false)} onMade={(text) => {
          setInviting(false);
          setSecret({ title: 'A link for one person', text, note: 'It signs in whoever opens it first, within a quarter of an hour.' });
        }} />
      )}
      {secret !== undefined && <SecretDialog {...secret} onClose={() => setSecret(undefined)} />}
      {leaving !== undefined && (
        <Dialog title={`Sign ${leaving.person} out?`} onClose={() => setLeaving(undefined)}
          foot={
            <>
              <button type="button" className="button" onClick={() => setLeaving(undefined)}>Cancel</button>
              <button type="button" className="button danger" disabled={end.isPending} onClick={() => end.mutate(leaving)}>Sign out</button>
            </>
          }>
          <p className="small">Their session ends at once, in every page they have open. They may sign in again the way they did before.</p>
          {end.isError && <ErrorNote error={end.error} />}
        </Dialog>
      )}
    </section>
  );
}

const areas: [string, readonly: string, bee: string, human: string, admin: string][] = [
  ['Swarms and scenarios', 'see', 'see', 'run, edit', 'run, edit'],
  ['Tasks, channels, bees', 'see', 'work, speak', 'steer, speak', 'steer, speak'],
  ['Approvals', 'see', 'ask, see', 'decide', 'decide, rules'],
  ['Costs', 'see', 'report', 'report, budgets', 'report, budgets, prices'],
  ['Audit log', 'read, verify', '–', 'read, verify', 'read, verify, erase'],
  ['Keys, people, webhooks', '–', '–', '–', 'everything'],
];

function Roles() {
  return (
    <section className="panel" aria-label="Roles">
      <header><h2>What roles may do</h2><span className="small muted">a key can be narrowed further</span></header>
      <div className="table-scroll" tabIndex={0} role="group" aria-label="Roles, scrolls sideways">
        <table className="table">
          <thead><tr><th scope="col">Area</th>{['readonly', 'bee', 'human', 'admin'].map((role) => <th key={role} scope="col">{role}</th>)}</tr></thead>
          <tbody>{areas.map(([area, ...may]) => <tr key={area}><th scope="row">{area}</th>{may.map((words, index) => <td key={index} className={words === '–' ? 'muted' : ''}>{words}</td>)}</tr>)}</tbody>
        </table>
      </div>
    </section>
  );
}

export function People() {
  const may = useMay('keys', 'read');
  return (
    <>
      {may && <Sessions />}
      <Roles />
    </>
  );
}
