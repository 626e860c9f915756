import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, fieldProblem, type Schemas } from '../../api/client';
import { useMay } from '../../api/queries';
import { useLive } from '../../api/use-live';
import { ago, dateTime } from '../../format';
import { Bones, Dialog, Empty, ErrorNote, Field, useNow } from '../../parts/basics';
import { Badge } from '../../parts/badges';
import { MoreIcon, PlusIcon } from '../../parts/icons';
import { Menu, MenuItem } from '../../parts/menu';
import { roles, roleWords, SecretDialog, type Secret } from './secret';

type Key = Schemas['Key'];
const keysKey = ['keys'];

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

export function Keys() {
  const client = useQueryClient();
  const now = useNow();
  const may = useMay('keys', 'write');
  const keys = useQuery({
    queryKey: keysKey,
    queryFn: () => call('get', '/api/v1/keys', { query: { limit: 500 } }) as Promise<{ items: Key[] }>,
  });
  useLive(['key.#'], () => void client.invalidateQueries({ queryKey: keysKey }));
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<Secret>();
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
        {may && <button type="button" className="button primary" onClick={() => setMaking(true)}><PlusIcon /> New key</button>}
      </header>
      {keys.isPending && <Bones />}
      {keys.isError && <div className="body"><ErrorNote error={keys.error} retry={() => void keys.refetch()} /></div>}
      {keys.isSuccess && items.length === 0 && <Empty title="No key yet">Programs and bees need one to talk to this hive; people sign in instead.</Empty>}
      {items.length > 0 && (
        <div className="table-scroll" tabIndex={0} role="group" aria-label="Keys, scrolls sideways">
          <table className="table stacks">
            <thead><tr><th scope="col">Owner</th><th scope="col">Role</th><th scope="col">Key</th><th scope="col">State</th><th scope="col">Made</th><th scope="col">Last used</th><th scope="col">Ends</th><th scope="col"><span className="hidden-text">Actions</span></th></tr></thead>
            <tbody>
              {items.map((key) => (
                <tr key={key.id}>
                  <td className="lead"><b>{key.owner}</b></td>
                  <td>{key.role}</td>
                  <td className="fit mono muted">{key.shown}</td>
                  <td className="fit"><Badge tone={key.state === 'active' ? 'good' : key.state === 'revoked' ? 'bad' : ''} text={key.state} /></td>
                  <td className="fit" data-label="made">{ago(key.created, now)}</td>
                  <td className="fit" data-label="used">{key.lastUsed === undefined ? 'never' : ago(key.lastUsed, now)}</td>
                  <td className="fit" data-label={key.revoked === undefined ? 'ends' : 'ended'}>{key.revoked !== undefined ? dateTime(key.revoked) : key.expires === undefined ? 'never' : dateTime(key.expires)}</td>
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
      {making && (
        <NewKey onClose={() => setMaking(false)} onMade={(text) => {
          setMaking(false);
          void client.invalidateQueries({ queryKey: keysKey });
          setSecret({ title: 'Your new key', text, note: 'Keep it where the program finds it, for example in HIVE_KEY. The hive itself only has its hash.' });
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
