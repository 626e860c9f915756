import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, fieldProblem, type Schemas } from '../../api/client';
import { useMay, useMe } from '../../api/queries';
import { useLive } from '../../api/use-live';
import { ago, dateTime } from '../../format';
import { Bones, Copy, Dialog, Empty, ErrorNote, Field, Note, useNow, useTitle } from '../../parts/basics';
import { Badge } from '../../parts/badges';
import { MoreIcon, PlusIcon } from '../../parts/icons';
import { Menu, MenuItem } from '../../parts/menu';
import { chooseTheme, useTheme, type Theme } from '../../theme';

type Key = Schemas['Key'];
const keysKey = ['keys'];
const roles = ['readonly', 'bee', 'human', 'admin'] as const;
const roleWords: Record<string, string> = {
  readonly: 'may look at everything but keys',
  bee: 'works on tasks and talks; sees swarms',
  human: 'runs swarms and decides',
  admin: 'may do everything, keys included',
};

function SecretDialog(props: { title: string; text: string; note: string; onClose: () => void }) {
  return (
    <Dialog title={props.title} onClose={props.onClose} foot={<button type="button" className="button primary" onClick={props.onClose}>I have kept it</button>}>
      <Note kind="warn"><strong>It is shown once.</strong> {props.note}</Note>
      <pre className="secret mono" tabIndex={0} aria-label="Secret">{props.text}</pre>
      <div><Copy text={props.text} label="Copy" /></div>
    </Dialog>
  );
}

function NewKey(props: { onClose: () => void; onMade: (key: string) => void }) {
  const [owner, setOwner] = useState('');
  const [role, setRole] = useState<string>('readonly');
  const [validFor, setValidFor] = useState('30d');
  const make = useMutation({
    mutationFn: () => call('post', '/api/v1/keys', { body: { owner, role, ...(validFor === '' ? {} : { validFor }) } }),
    onSuccess: (made) => props.onMade(made.key),
  });
  return (
    <Dialog title="New key" onClose={props.onClose}
      foot={
        <>
          <button type="button" className="button" onClick={props.onClose}>Cancel</button>
          <button type="submit" form="new-key" className="button primary" disabled={owner === '' || make.isPending}>Create</button>
        </>
      }>
      <form id="new-key" className="stack" onSubmit={(event) => { event.preventDefault(); make.mutate(); }}>
        <Field label="Owner" hint="Who or what acts with it: the audit names them" wrong={fieldProblem(make.error, '/owner')}>
          {(parts) => <input {...parts} className="input" value={owner} autoComplete="off" onChange={(event) => setOwner(event.target.value)} />}
        </Field>
        <Field label="Role" hint={roleWords[role]}>
          {(parts) => <select {...parts} className="input" value={role} onChange={(event) => setRole(event.target.value)}>{roles.map((each) => <option key={each}>{each}</option>)}</select>}
        </Field>
        <Field label="Valid for" hint="Such as 12h or 30d; empty for no end" wrong={fieldProblem(make.error, '/validFor')}>
          {(parts) => <input {...parts} className="input" value={validFor} onChange={(event) => setValidFor(event.target.value)} />}
        </Field>
        {make.isError && <ErrorNote error={make.error} />}
      </form>
    </Dialog>
  );
}

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

function Keys() {
  const client = useQueryClient();
  const now = useNow();
  const may = useMay('keys', 'write');
  const keys = useQuery({
    queryKey: keysKey,
    queryFn: () => call('get', '/api/v1/keys', { query: { limit: 500 } }) as Promise<{ items: Key[] }>,
  });
  useLive(['key.#'], () => void client.invalidateQueries({ queryKey: keysKey }));
  const [dialog, setDialog] = useState<'key' | 'link'>();
  const [secret, setSecret] = useState<{ title: string; text: string; note: string }>();
  const [asked, setAsked] = useState<{ key: Key; what: 'rotate' | 'revoke' }>();
  const act = useMutation({
    mutationFn: async (order: { key: Key; what: 'rotate' | 'revoke' }) => {
      const path = { keyId: order.key.id };
      if (order.what === 'rotate') return (await call('post', '/api/v1/keys/{keyId}/rotate', { path })).key;
      await call('delete', '/api/v1/keys/{keyId}', { path });
      return undefined;
    },
    onSuccess: (fresh, order) => {
      setAsked(undefined);
      void client.invalidateQueries({ queryKey: keysKey });
      if (fresh !== undefined) setSecret({ title: `New key of ${order.key.owner}`, text: fresh, note: 'The old key works for another 24 hours.' });
    },
  });
  const items = keys.data?.items ?? [];
  return (
    <section className="panel" aria-label="Keys">
      <header>
        <h2>Keys of programs and bees</h2>
        {may && <button type="button" className="button" onClick={() => setDialog('link')}>Invite a person</button>}
        {may && <button type="button" className="button primary" onClick={() => setDialog('key')}><PlusIcon /> New key</button>}
      </header>
      {keys.isPending && <Bones />}
      {keys.isError && <div className="body"><ErrorNote error={keys.error} retry={() => void keys.refetch()} /></div>}
      {keys.isSuccess && items.length === 0 && <Empty title="No key yet">Programs and bees need one to talk to this hive; people sign in instead.</Empty>}
      {items.length > 0 && (
        <div className="table-scroll" tabIndex={0} role="group" aria-label="Keys, scrolls sideways">
          <table className="table">
            <thead><tr><th scope="col">Owner</th><th scope="col">Role</th><th scope="col">Key</th><th scope="col">State</th><th scope="col">Made</th><th scope="col">Last used</th><th scope="col">Ends</th><th scope="col"><span className="hidden-text">Actions</span></th></tr></thead>
            <tbody>
              {items.map((key) => (
                <tr key={key.id}>
                  <td><b>{key.owner}</b></td>
                  <td>{key.role}</td>
                  <td className="fit mono muted">{key.shown}</td>
                  <td className="fit"><Badge tone={key.state === 'active' ? 'good' : key.state === 'revoked' ? 'bad' : ''} text={key.state} /></td>
                  <td className="fit">{ago(key.created, now)}</td>
                  <td className="fit">{key.lastUsed === undefined ? 'never' : ago(key.lastUsed, now)}</td>
                  <td className="fit">{key.revoked !== undefined ? dateTime(key.revoked) : key.expires === undefined ? 'never' : dateTime(key.expires)}</td>
                  <td className="fit">
                    {may && key.state === 'active' && (
                      <Menu trigger={<button type="button" className="button quiet icon small" aria-label={`More for the key of ${key.owner}`}><MoreIcon /></button>}>
                        <MenuItem onSelect={() => setAsked({ key, what: 'rotate' })}>Rotate…</MenuItem>
                        <MenuItem danger onSelect={() => setAsked({ key, what: 'revoke' })}>Revoke…</MenuItem>
                      </Menu>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {dialog === 'key' && (
        <NewKey onClose={() => setDialog(undefined)} onMade={(text) => {
          setDialog(undefined);
          void client.invalidateQueries({ queryKey: keysKey });
          setSecret({ title: 'Your new key', text, note: 'Keep it where the program finds it, for example in HIVE_KEY. The hive itself only has its hash.' });
        }} />
      )}
      {dialog === 'link' && (
        <NewLink onClose={() => setDialog(undefined)} onMade={(text) => {
          setDialog(undefined);
          setSecret({ title: 'A link for one person', text, note: 'It signs in whoever opens it first, within a quarter of an hour.' });
        }} />
      )}
      {secret !== undefined && <SecretDialog {...secret} onClose={() => setSecret(undefined)} />}
      {asked !== undefined && (
        <Dialog title={asked.what === 'rotate' ? `Rotate the key of ${asked.key.owner}?` : `Revoke the key of ${asked.key.owner}?`} onClose={() => setAsked(undefined)}
          foot={
            <>
              <button type="button" className="button" onClick={() => setAsked(undefined)}>Cancel</button>
              <button type="button" className={asked.what === 'revoke' ? 'button danger' : 'button primary'} disabled={act.isPending} onClick={() => act.mutate(asked)}>
                {asked.what === 'rotate' ? 'Rotate' : 'Revoke'}
              </button>
            </>
          }>
          <p className="small">{asked.what === 'rotate' ? 'A successor is made and shown once. The old key works for another 24 hours.' : 'It ends at once, with every connection that uses it.'}</p>
          {act.isError && <ErrorNote error={act.error} />}
        </Dialog>
      )}
    </section>
  );
}

export default function SettingsPage() {
  useTitle('Settings');
  const me = useMe();
  const theme = useTheme();
  const mayKeys = useMay('keys', 'read');
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <h1>Settings</h1>
          <p>You, and who else may do what.</p>
        </div>
      </div>
      <section className="panel" aria-label="You">
        <header><h2>You</h2></header>
        <dl className="figures">
          <div><dt>Signed in as</dt><dd className="when">{me.data?.id}</dd></div>
          <div><dt>Role</dt><dd className="when">{me.data?.role}<small>{roleWords[me.data?.role ?? '']}</small></dd></div>
          <div><dt>Hive</dt><dd className="when">{me.data?.hive}</dd></div>
          <div>
            <dt><label htmlFor="theme">Theme</label></dt>
            <dd>
              <select id="theme" className="input" value={theme} onChange={(event) => chooseTheme(event.target.value as Theme)}>
                <option value="auto">As the system</option><option value="light">Light</option><option value="dark">Dark</option>
              </select>
            </dd>
          </div>
        </dl>
      </section>
      {mayKeys ? <Keys /> : <Note>Keys are for administrators. Ask one if a program of yours needs a key.</Note>}
    </div>
  );
}
