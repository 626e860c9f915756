import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { call, fieldProblem, type Schemas } from '../../api/client';
import { useFresh } from '../../api/colony';
import { useMay } from '../../api/queries';
import { ago, count, dateTime } from '../../format';
import { Badge } from '../../parts/badges';
import { Bones, Dialog, Empty, ErrorNote, Field, Note, useNow } from '../../parts/basics';
import { MoreIcon, PlusIcon } from '../../parts/icons';
import { Menu, MenuItem } from '../../parts/menu';
import { tell, tellFailed } from '../../parts/toasts';
import { wordsOf } from '../tasks/moves';
import { SecretDialog, type Secret } from './secret';
import './settings.css';

type Webhook = Schemas['Webhook'];
type Delivery = Schemas['WebhookDelivery'];
const webhooksKey = ['webhooks'];
const formats = { standard: 'Standard Webhooks, signed', github: 'As GitHub sends them', discord: 'A message in Discord' } as const;
const deliveryTones = { pending: 'honey', delivered: 'good', failed: 'bad' } as const;
const secretNote = 'The receiver checks with it that a delivery is from this hive.';
const dayMs = 86_400_000;

function StateBadge(props: { webhook: Webhook }) {
  const { webhook } = props;
  if (!webhook.enabled) return <Badge tone={webhook.disabledBecause === undefined ? '' : 'bad'} text={webhook.disabledBecause === 'failing' ? 'Off: it kept failing' : webhook.disabledBecause === 'gone' ? 'Off: it is gone' : 'Off'} />;
  return webhook.failingSince === undefined ? <Badge tone="good" text="On" /> : <Badge tone="warn" text="Failing" />;
}

function WebhookDialog(props: { webhook?: Webhook; onClose: () => void; onMade: (secret: string) => void }) {
  const { webhook } = props;
  const client = useQueryClient();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState((webhook?.events ?? ['task.*', 'approval.*']).join(', '));
  const [format, setFormat] = useState<Webhook['format']>(webhook?.format ?? 'standard');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const keep = useMutation({
    mutationFn: async () => {
      const body = { url: url.trim(), events: wordsOf(events), format, description };
      if (webhook === undefined) return (await call('post', '/api/v1/webhooks', { body })).secret;
      await call('patch', '/api/v1/webhooks/{webhook}', { path: { webhook: webhook.id }, body });
      return undefined;
    },
    onSuccess: (secret) => {
      void client.invalidateQueries({ queryKey: webhooksKey });
      props.onClose();
      if (secret === undefined) tell('good', 'The webhook is changed');
      else props.onMade(secret);
    },
  });
  return (
    <Dialog title={webhook === undefined ? 'New webhook' : 'Change the webhook'} onClose={props.onClose}
      foot={
        <>
          <button type="button" className="button" onClick={props.onClose}>Cancel</button>
          <button type="submit" form="webhook" className="button primary" disabled={url.trim() === '' || keep.isPending}>{webhook === undefined ? 'Create' : 'Keep'}</button>
        </>
      }>
      <form id="webhook" className="stack" onSubmit={(event) => { event.preventDefault(); keep.mutate(); }}>
        <Field label="Address" hint="Where events are sent, with POST" wrong={fieldProblem(keep.error, '/url')}>
          {(parts) => <input {...parts} className="input mono" value={url} placeholder="https://ci.example/hooks/hive" spellCheck={false} autoComplete="off" onChange={(event) => setUrl(event.target.value)} />}
        </Field>
        <Field label="Events" hint="task.* is everything about tasks, * is everything" wrong={fieldProblem(keep.error, '/events')}>
          {(parts) => <input {...parts} className="input mono" value={events} spellCheck={false} onChange={(event) => setEvents(event.target.value)} />}
        </Field>
        <Field label="Format">
          {(parts) => <select {...parts} className="input" value={format} onChange={(event) => setFormat(event.target.value as Webhook['format'])}>{(Object.keys(formats) as Webhook['format'][]).map((each) => <option key={each} value={each}>{formats[each]}</option>)}</select>}
        </Field>
        <Field label="What it is for">
          {(parts) => <input {...parts} className="input" value={description} maxLength={1000} onChange={(event) => setDescription(event.target.value)} />}
        </Field>
        {keep.isError && <ErrorNote error={keep.error} />}
      </form>
    </Dialog>
  );
}

function WebhookList(props: { onNew: () => void }) {
  const now = useNow();
  const may = useMay('webhooks', 'write');
  const webhooks = useQuery({ queryKey: webhooksKey, queryFn: async () => ((await call('get', '/api/v1/webhooks')) as { items: Webhook[] }).items });
  const make = may && <button type="button" className="button primary" onClick={props.onNew}><PlusIcon /> New webhook</button>;
  const items = webhooks.data ?? [];
  return (
    <section className="panel" aria-label="Webhooks">
      <header><h2>Webhooks</h2>{make}</header>
      {webhooks.isPending && <Bones />}
      {webhooks.isError && <div className="body"><ErrorNote error={webhooks.error} retry={() => void webhooks.refetch()} /></div>}
      {webhooks.isSuccess && items.length === 0 && <Empty title="Nobody outside is told" action={make}>A webhook tells another system what happens here, signed, and tries again when that system is away.</Empty>}
      {items.length > 0 && (
        <div className="table-scroll" tabIndex={0} role="group" aria-label="Webhooks, scrolls sideways">
          <table className="table stacks">
            <thead><tr><th scope="col">Address</th><th scope="col">Events</th><th scope="col">State</th><th scope="col">Last arrival</th></tr></thead>
            <tbody>
              {items.map((webhook) => (
                <tr key={webhook.id}>
                  <td className="wrap lead"><Link className="name-link url" href={`/settings/webhooks/${webhook.id}`}>{webhook.url}</Link>{webhook.description !== undefined && webhook.description !== '' && <div className="small muted">{webhook.description}</div>}</td>
                  <td className="wrap mono small">{webhook.events.join(', ')}</td>
                  <td className="fit"><StateBadge webhook={webhook} /></td>
                  <td className="fit" data-label="last arrival">{webhook.lastArrival === undefined ? 'never' : ago(webhook.lastArrival, now)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function DeliveryDialog(props: { webhook: string; delivery: Delivery; onClose: () => void }) {
  const { delivery } = props;
  const whole = useQuery({
    queryKey: [...webhooksKey, props.webhook, 'delivery', delivery.id],
    queryFn: async () => (await call('get', '/api/v1/webhooks/{webhook}/deliveries/{delivery}', { path: { webhook: props.webhook, delivery: delivery.id } })) as Delivery,
  });
  const shown = whole.data ?? delivery;
  return (
    <Dialog wide title={`Delivery of ${delivery.event}`} onClose={props.onClose}>
      <dl className="proof">
        <div><dt>Id</dt><dd className="mono">{shown.id}</dd></div>
        <div><dt>Happened</dt><dd>{dateTime(shown.createdAt)}</dd></div>
        <div><dt>State</dt><dd><Badge tone={deliveryTones[shown.state]} text={shown.state} /></dd></div>
        {shown.nextAttempt !== undefined && <div><dt>Next try</dt><dd>{dateTime(shown.nextAttempt)}</dd></div>}
      </dl>
      <div>
        <h3>Attempts</h3>
        {shown.log.length === 0 && <p className="small muted">Not tried yet.</p>}
        <ol className="attempt-log num">
          {shown.log.map((each, index) => (
            <li key={index}>
              <Badge plain tone={each.status !== undefined && each.status < 300 ? 'good' : 'bad'} text={each.status === undefined ? 'no answer' : String(each.status)} />
              <span>{dateTime(each.at)}</span><span className="muted">{count(each.tookMs)} ms</span>
              {each.answer !== undefined && each.answer !== '' && <pre className="json">{each.answer}</pre>}
            </li>
          ))}
        </ol>
      </div>
      <div>
        <h3>What is sent</h3>
        {whole.isPending ? <Bones rows={2} /> : whole.isError ? <ErrorNote error={whole.error} /> : <pre className="json" tabIndex={0} aria-label="What is sent">{JSON.stringify(shown.payload ?? {}, null, 2)}</pre>}
      </div>
    </Dialog>
  );
}

function Deliveries(props: { webhook: Webhook; there: boolean }) {
  const { webhook } = props;
  const client = useQueryClient();
  const now = useNow();
  const may = useMay('webhooks', 'write');
  const [state, setState] = useState('');
  const [open, setOpen] = useState<Delivery>();
  const key = [...webhooksKey, webhook.id, 'deliveries'];
  const pages = useInfiniteQuery({
    queryKey: [...key, state],
    enabled: props.there,
    initialPageParam: '',
    // What is on its way changes by itself, and nobody tells of each try.
    refetchInterval: 3000,
    queryFn: async ({ pageParam }) =>
      (await call('get', '/api/v1/webhooks/{webhook}/deliveries', { path: { webhook: webhook.id }, query: { state, limit: 50, cursor: pageParam } })) as { items: Delivery[]; next?: string },
    getNextPageParam: (last) => last.next,
  });
  const refresh = () => void client.invalidateQueries({ queryKey: key });
  const replay = useMutation({
    mutationFn: (delivery: Delivery) => call('post', '/api/v1/webhooks/{webhook}/deliveries/{delivery}/replay', { path: { webhook: webhook.id, delivery: delivery.id } }),
    onSuccess: () => {
      tell('good', 'It is sent again, under the same id');
      refresh();
    },
    onError: (error) => tellFailed('It is not sent again', error),
  });
  const replayAll = useMutation({
    mutationFn: () => call('post', '/api/v1/webhooks/{webhook}/replay', { path: { webhook: webhook.id }, body: { since: new Date(Date.now() - dayMs).toISOString(), which: 'failed' } }),
    onSuccess: (answer) => {
      tell('good', `${answer.replayed} ${answer.replayed === 1 ? 'delivery is' : 'deliveries are'} sent again`);
      refresh();
    },
    onError: (error) => tellFailed('Nothing is sent again', error),
  });
  const items = (pages.data?.pages ?? []).flatMap((page) => page.items);
  return (
    <section className="panel" aria-label="Deliveries">
      <header>
        <h2>Deliveries</h2>
        {may && <button type="button" className="button small" disabled={replayAll.isPending} onClick={() => replayAll.mutate()}>Send the failed ones of a day again</button>}
        <div className="filters">
          <Field label="State">
            {(parts) => <select {...parts} className="input" value={state} onChange={(event) => setState(event.target.value)}><option value="">any</option>{['pending', 'delivered', 'failed'].map((each) => <option key={each}>{each}</option>)}</select>}
          </Field>
        </div>
      </header>
      {pages.isPending && <Bones rows={4} />}
      {pages.isError && <div className="body"><ErrorNote error={pages.error} retry={() => void pages.refetch()} /></div>}
      {pages.isSuccess && items.length === 0 && <p className="body small muted">{state === '' ? 'Nothing was sent yet. “Send a ping” tries it.' : 'None is in this state.'}</p>}
      {items.length > 0 && (
        <div className="table-scroll" tabIndex={0} role="group" aria-label="Deliveries, scrolls sideways">
          <table className="table stacks">
            <thead><tr><th scope="col">Event</th><th scope="col">State</th><th scope="col">When</th><th scope="col" className="right">Tries</th><th scope="col">Last answer</th><th scope="col"><span className="hidden-text">Actions</span></th></tr></thead>
            <tbody>
              {items.map((delivery) => {
                const last = delivery.log[delivery.log.length - 1];
                return (
                  <tr key={delivery.id}>
                    <td className="lead"><b>{delivery.event}</b></td>
                    <td className="fit"><Badge tone={deliveryTones[delivery.state]} text={delivery.state} moving={delivery.state === 'pending'} /></td>
                    <td className="fit" title={dateTime(delivery.createdAt)}>{ago(delivery.createdAt, now)}</td>
                    <td className="right fit" data-label="tries">{delivery.attempts}</td>
                    <td className="wrap small muted">{last === undefined ? '–' : `${last.status ?? 'no answer'} after ${count(last.tookMs)} ms`}</td>
                    <td className="fit">
                      <div className="row end">
                        <button type="button" className="button small quiet" onClick={() => setOpen(delivery)}>Look<span className="hidden-text"> at {delivery.event}</span></button>
                        {may && delivery.state !== 'pending' && <button type="button" className="button small" disabled={replay.isPending} onClick={() => replay.mutate(delivery)}>Send again<span className="hidden-text">: {delivery.event}</span></button>}
                      </div>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {pages.hasNextPage && <div className="body"><button type="button" className="button small" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>Older</button></div>}
      {open !== undefined && <DeliveryDialog webhook={webhook.id} delivery={open} onClose={() => setOpen(undefined)} />}
    </section>
  );
}

function OneWebhook(props: { id: string; onSecret: (secret: Secret) => void }) {
  const client = useQueryClient();
  const [, go] = useLocation();
  const may = useMay('webhooks', 'write');
  const [dialog, setDialog] = useState<'change' | 'remove' | 'rotate'>();
  const path = { webhook: props.id };
  const remove = useMutation({
    mutationFn: () => call('delete', '/api/v1/webhooks/{webhook}', { path }),
    onSuccess: () => {
      tell('good', 'The webhook is removed');
      go('/settings/webhooks');
      void client.invalidateQueries({ queryKey: webhooksKey, exact: true });
    },
    onError: (error) => tellFailed('The webhook stays as it is', error),
  });
  // Nobody asks after what is being removed.
  const there = !remove.isPending && !remove.isSuccess;
  const found = useQuery({ queryKey: [...webhooksKey, props.id], enabled: there, queryFn: async () => (await call('get', '/api/v1/webhooks/{webhook}', { path })) as Webhook });
  const refresh = () => void client.invalidateQueries({ queryKey: webhooksKey });
  const failed = (error: unknown) => tellFailed('The webhook stays as it is', error);
  const ping = useMutation({ mutationFn: () => call('post', '/api/v1/webhooks/{webhook}/test', { path }), onSuccess: () => { tell('good', 'A ping is on its way'); refresh(); }, onError: failed });
  const turn = useMutation({ mutationFn: (enabled: boolean) => call('patch', '/api/v1/webhooks/{webhook}', { path, body: { enabled } }), onSuccess: refresh, onError: failed });
  const rotate = useMutation({
    mutationFn: () => call('post', '/api/v1/webhooks/{webhook}/rotate', { path, body: { overlap: '24h' } }),
    onSuccess: (made) => { setDialog(undefined); refresh(); props.onSecret({ title: 'The new secret', text: made.secret, note: `${secretNote} The old one signs as well for another 24 hours.` }); },
    onError: failed,
  });
  if (found.isPending) return <section className="panel"><Bones rows={6} /></section>;
  if (found.isError) return <ErrorNote error={found.error} retry={() => void found.refetch()} />;
  const webhook = found.data;
  return (
    <>
      <section className="panel" aria-label="Webhook">
        <header>
          <h2 className="url">{webhook.url}</h2>
          <StateBadge webhook={webhook} />
          {may && <button type="button" className="button" disabled={ping.isPending} onClick={() => ping.mutate()}>Send a ping</button>}
          {may && (
            <Menu trigger={<button type="button" className="button quiet icon" aria-label="More for this webhook"><MoreIcon /></button>}>
              <MenuItem onSelect={() => setDialog('change')}>Change…</MenuItem>
              <MenuItem onSelect={() => turn.mutate(!webhook.enabled)}>{webhook.enabled ? 'Turn off' : 'Turn on'}</MenuItem>
              <MenuItem onSelect={() => setDialog('rotate')}>New secret…</MenuItem>
              <MenuItem danger onSelect={() => setDialog('remove')}>Remove…</MenuItem>
            </Menu>
          )}
        </header>
        <div className="body stack">
          {webhook.disabledBecause !== undefined && <Note kind="warn"><strong>It was turned off by itself</strong>: {webhook.disabledBecause === 'gone' ? 'the address says that it is gone.' : 'it has failed for too long.'} Turn it on again when the receiver works.</Note>}
          <dl className="facts">
            <div><dt>Events</dt><dd className="mono">{webhook.events.join(', ')}</dd></div>
            <div><dt>Format</dt><dd>{formats[webhook.format]}</dd></div>
            {webhook.description !== undefined && webhook.description !== '' && <div><dt>For</dt><dd>{webhook.description}</dd></div>}
            <div><dt>Made</dt><dd>{dateTime(webhook.createdAt)}</dd></div>
            {webhook.failingSince !== undefined && <div><dt>Failing since</dt><dd>{dateTime(webhook.failingSince)}</dd></div>}
            <div><dt>Last arrival</dt><dd>{webhook.lastArrival === undefined ? 'never' : dateTime(webhook.lastArrival)}</dd></div>
            {webhook.rotationUntil !== undefined && <div><dt>Two secrets until</dt><dd>{dateTime(webhook.rotationUntil)}</dd></div>}
          </dl>
        </div>
      </section>
      <Deliveries webhook={webhook} there={there} />
      {dialog === 'change' && <WebhookDialog webhook={webhook} onClose={() => setDialog(undefined)} onMade={() => undefined} />}
      {(dialog === 'remove' || dialog === 'rotate') && (
        <Dialog title={dialog === 'remove' ? 'Remove the webhook?' : 'A new secret?'} onClose={() => setDialog(undefined)}
          foot={
            <>
              <button type="button" className="button" onClick={() => setDialog(undefined)}>Cancel</button>
              {dialog === 'remove'
                ? <button type="button" className="button danger" disabled={remove.isPending} onClick={() => remove.mutate()}>Remove</button>
                : <button type="button" className="button primary" disabled={rotate.isPending} onClick={() => rotate.mutate()}>Make it</button>}
            </>
          }>
          <p className="small">{dialog === 'remove' ? 'It is told of nothing more, and its deliveries are forgotten.' : 'It is shown once. The old secret signs as well for another 24 hours, so that the receiver can change over.'}</p>
        </Dialog>
      )}
    </>
  );
}

export function Webhooks(props: { id: string | undefined }) {
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<Secret>();
  useFresh(['webhook.#'], webhooksKey, 1000);
  return (
    <>
      {props.id === undefined ? <WebhookList onNew={() => setMaking(true)} /> : (
        <>
          <Link href="/settings/webhooks" className="crumb">Webhooks /</Link>
          <OneWebhook key={props.id} id={props.id} onSecret={setSecret} />
        </>
      )}
      {making && <WebhookDialog onClose={() => setMaking(false)} onMade={(text) => setSecret({ title: 'The secret of the webhook', text, note: secretNote })} />}
      {secret !== undefined && <SecretDialog {...secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
