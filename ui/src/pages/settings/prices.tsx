import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, fieldProblem } from '../../api/client';
import { costs, type Price } from '../../api/costs';
import { useMay } from '../../api/queries';
import { dateTime } from '../../format';
import { Bones, Dialog, Empty, ErrorNote, Field, useNow } from '../../parts/basics';
import { Badge } from '../../parts/badges';
import { MoreIcon, PlusIcon } from '../../parts/icons';
import { Menu, MenuItem } from '../../parts/menu';
import { tell, tellFailed } from '../../parts/toasts';
import { money } from '../costs/sums';

const kindNames: Record<Price['kind'], string> = {
  input: 'input tokens', output: 'output tokens', cache_read: 'cached input', cache_write: 'input to be cached', reasoning: 'reasoning tokens', cpu: 'CPU',
};

function NewPrice(props: { onClose: () => void }) {
  const client = useQueryClient();
  const [model, setModel] = useState('');
  const [kind, setKind] = useState<Price['kind']>('input');
  const [amount, setAmount] = useState('');
  const make = useMutation({
    mutationFn: () => call('post', '/api/v1/prices', { body: { model: model.trim(), kind, micros: Math.round(Number(amount) * 1e6) } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: costs.prices });
      tell('good', 'The price counts from now on');
      props.onClose();
    },
  });
  return (
    <Dialog title="New price" onClose={props.onClose}
      foot={
        <>
          <button type="button" className="button" onClick={props.onClose}>Cancel</button>
          <button type="submit" form="price" className="button primary" disabled={model.trim() === '' || amount.trim() === '' || !(Number(amount) >= 0) || make.isPending}>Create</button>
        </>
      }>
      <form id="price" className="stack" onSubmit={(event) => { event.preventDefault(); make.mutate(); }}>
        <Field label="Model" hint="A name, or a pattern with *" wrong={fieldProblem(make.error, '/model')}>
          {(parts) => <input {...parts} className="input" value={model} placeholder="small-*" spellCheck={false} onChange={(event) => setModel(event.target.value)} />}
        </Field>
        <div className="grid-2">
          <Field label="Of what">
            {(parts) => <select {...parts} className="input" value={kind} onChange={(event) => setKind(event.target.value as Price['kind'])}>{(Object.keys(kindNames) as Price['kind'][]).map((each) => <option key={each} value={each}>{kindNames[each]}</option>)}</select>}
          </Field>
          <Field label="Price" hint={kind === 'cpu' ? 'an hour' : 'a million tokens'} wrong={fieldProblem(make.error, '/micros')}>
            {(parts) => <input {...parts} className="input" inputMode="decimal" value={amount} placeholder="3.00" onChange={(event) => setAmount(event.target.value)} />}
          </Field>
        </div>
        {make.isError && <ErrorNote error={make.error} />}
      </form>
    </Dialog>
  );
}

export function Prices() {
  const now = useNow(10_000);
  const may = useMay('costs', 'admin');
  const client = useQueryClient();
  const [making, setMaking] = useState(false);
  const act = useMutation({
    mutationFn: async ({ price, end }: { price: Price; end: boolean }) => {
      const path = { price: price.id };
      if (!end) return call('delete', '/api/v1/prices/{price}', { path });
      const { model, kind, micros, from } = price;
      return call('put', '/api/v1/prices/{price}', { path, body: { model, kind, micros, ...(from === undefined ? {} : { from }), to: new Date().toISOString() } });
    },
    onSuccess: (_, { end }) => {
      tell('good', end ? 'The price counts no longer' : 'The price is removed');
      void client.invalidateQueries({ queryKey: costs.prices });
    },
    onError: (error) => tellFailed('The price stays as it is', error),
  });
  const prices = useQuery({ queryKey: costs.prices, queryFn: async () => ((await call('get', '/api/v1/prices')) as { items: Price[] }).items });
  const make = may && <button type="button" className="button primary" onClick={() => setMaking(true)}><PlusIcon /> New price</button>;
  const items = [...(prices.data ?? [])].sort((a, b) => a.model.localeCompare(b.model) || a.kind.localeCompare(b.kind) || (b.from ?? '').localeCompare(a.from ?? ''));
  return (
    <section className="panel" aria-label="Prices">
      <header><h2>Prices</h2><span className="small muted">a later price changes no past</span>{make}</header>
      {prices.isPending && <Bones />}
      {prices.isError && <div className="body"><ErrorNote error={prices.error} retry={() => void prices.refetch()} /></div>}
      {prices.isSuccess && items.length === 0 && <Empty title="No price yet" action={make}>Without prices only tokens and CPU time are counted, and what bees say that it cost.</Empty>}
      {items.length > 0 && (
        <div className="table-scroll" tabIndex={0} role="group" aria-label="Prices, scroll sideways">
          <table className="table stacks">
            <thead><tr><th scope="col">Model</th><th scope="col">Of</th><th scope="col" className="right">Price</th><th scope="col">From</th><th scope="col">Until</th><th scope="col">State</th><th scope="col"><span className="hidden-text">Actions</span></th></tr></thead>
            <tbody>
              {items.map((price) => {
                const past = price.to !== undefined && Date.parse(price.to) <= now;
                const future = price.from !== undefined && Date.parse(price.from) > now;
                return (
                  <tr key={price.id}>
                    <td className="mono lead">{price.model}</td>
                    <td>{kindNames[price.kind]}</td>
                    <td className="right fit"><b>{money(price.micros)}</b> <span className="muted">{price.kind === 'cpu' ? 'an hour' : 'a million'}</span></td>
                    <td className="fit" data-label="from">{dateTime(price.from)}</td>
                    <td className={price.to === undefined ? 'fit blank' : 'fit'} data-label="until">{price.to === undefined ? '–' : dateTime(price.to)}</td>
                    <td className="fit"><Badge tone={past || future ? '' : 'good'} text={past ? 'Over' : future ? 'To come' : 'Now'} /></td>
                    <td className="fit">
                      {may && (
                        <Menu trigger={<button type="button" className="button quiet icon small" aria-label={`More for the price of ${price.model}, ${kindNames[price.kind]}`}><MoreIcon /></button>}>
                          {!past && !future && <MenuItem onSelect={() => act.mutate({ price, end: true })}>It ends now</MenuItem>}
                          <MenuItem danger onSelect={() => act.mutate({ price, end: false })}>Remove</MenuItem>
                        </Menu>
                      )}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {making && <NewPrice onClose={() => setMaking(false)} />}
    </section>
  );
}
