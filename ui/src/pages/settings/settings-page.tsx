import type { ReactNode } from 'react';
import { useMay, useMe } from '../../api/queries';
import { Empty, Tabs, useTitle } from '../../parts/basics';
import { chooseTheme, useTheme, type Theme } from '../../theme';
import { Keys } from './keys';
import { People } from './people';
import { Prices } from './prices';
import { Rules } from './rules';
import { roleWords } from './secret';
import { Webhooks } from './webhooks';

interface Tab {
  key: string;
  name: string;
  area?: string; // who may not read it does not see it
  show: (id: string | undefined) => ReactNode;
}

function You() {
  const me = useMe();
  const theme = useTheme();
  return (
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
  );
}

const tabs: Tab[] = [
  { key: 'you', name: 'You and others', show: () => <><You /><People /></> },
  { key: 'keys', name: 'Keys', area: 'keys', show: () => <Keys /> },
  { key: 'webhooks', name: 'Webhooks', area: 'webhooks', show: (id) => <Webhooks id={id} /> },
  { key: 'rules', name: 'Approval rules', area: 'approvals', show: () => <Rules /> },
  { key: 'prices', name: 'Prices', area: 'costs', show: () => <Prices /> },
];

export default function SettingsPage(props: { tab: string; id: string | undefined }) {
  useTitle('Settings');
  const shown: Record<string, boolean> = { keys: useMay('keys', 'read'), webhooks: useMay('webhooks', 'read'), approvals: useMay('approvals', 'read'), costs: useMay('costs', 'read') };
  const open = tabs.filter((tab) => tab.area === undefined || shown[tab.area] === true);
  const here = open.find((tab) => tab.key === props.tab);
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <h1>Settings</h1>
          <p>You, who else may do what, and what the hive does by itself.</p>
        </div>
      </div>
      <Tabs label="Parts of the settings" items={open.map((tab) => ({ to: tab.key === 'you' ? '/settings' : `/settings/${tab.key}`, name: tab.name, here: props.tab === tab.key }))} />
      {here === undefined
        ? <section className="panel"><Empty title="Not for your role">These settings are for administrators. Ask one of them for what you need.</Empty></section>
        : here.show(props.id)}
    </div>
  );
}
