import { useQueryClient } from '@tanstack/react-query';
import { Component, lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { whenSignedOut } from './api/client';
import { live } from './api/live';
import { askAgain, keys, useMe } from './api/queries';
import { Bones, Empty, ErrorNote } from './parts/basics';
import { Toasts } from './parts/toasts';
import { SignInPage } from './pages/sign-in/sign-in-page';
import { Shell } from './shell/shell';

// A page is a folder below pages/, loaded when somebody is about to go there. An address that ends with a
// slash is that of all below it.
const loads: { at: string; load: () => Promise<unknown> }[] = [];
function preload(path: string): Promise<unknown> {
  const known = loads.filter(({ at }) => (at.endsWith('/') ? path.startsWith(at) : path === at));
  // What goes wrong is told when it is shown.
  return Promise.allSettled(known.map(({ load }) => load()));
}
function page<Parts extends object>(at: string, load: () => Promise<{ default: ComponentType<Parts> }>) {
  let loaded: ComponentType<Parts> | undefined;
  const loadOnce = async () => {
    const found = await load();
    loaded = found.default;
    return found;
  };
  const Later = lazy(loadOnce);
  loads.push({ at, load: loadOnce });
  // What is there is shown at once: React holds back what it had to wait for by a third of a second.
  return function Page(parts: Parts) {
    const [Shown] = useState<ComponentType<Parts>>(() => loaded ?? (Later as unknown as ComponentType<Parts>));
    return <Shown {...parts} />;
  };
}
const SwarmsPage = page('/swarms', () => import('./pages/swarms/swarms-page'));
const SwarmPage = page('/swarms/', () => import('./pages/swarm/swarm-page'));
const ScenariosPage = page('/scenarios', () => import('./pages/scenarios/scenarios-page'));
const ScenarioPage = page('/scenarios/', () => import('./pages/scenarios/scenario-page'));
const RunsPage = page('/runs', () => import('./pages/runs/runs-page'));
const RunPage = page('/runs/', () => import('./pages/runs/run-page'));
const ComparePage = page('/runs/compare', () => import('./pages/runs/compare-page'));
const FeedPage = page('/feed', () => import('./pages/feed/feed-page'));
const TasksPage = page('/tasks', () => import('./pages/tasks/tasks-page'));
const TaskPage = page('/tasks/', () => import('./pages/tasks/task-page'));
const ApprovalsPage = page('/approvals', () => import('./pages/approvals/approvals-page'));
const ApprovalPage = page('/approvals/', () => import('./pages/approvals/approval-page'));
const CostsPage = page('/costs', () => import('./pages/costs/costs-page'));
const BeesPage = page('/bees', () => import('./pages/bees/bees-page'));
const BeePage = page('/bees/', () => import('./pages/bees/bee-page'));
const ChannelsPage = page('/channels', () => import('./pages/channels/channels-page'));
const FilesPage = page('/files', () => import('./pages/files/files-page'));
const AuditPage = page('/audit', () => import('./pages/audit/audit-page'));
const SettingsPage = page('/settings', () => import('./pages/settings/settings-page'));

// The page that the address names is on its way while the server is asked who is there.
const firstPage = preload(location.pathname === '/' ? '/swarms' : location.pathname);

// Whoever points at a link or comes to it by keys is about to follow it.
function preloadLinked(event: Event): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link !== null && link.origin === location.origin) void preload(link.pathname);
}

class Fence extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <div className="page">
        <ErrorNote error={this.state.error} retry={() => location.reload()} />
      </div>
    );
  }
}

export function App() {
  const me = useMe();
  const client = useQueryClient();
  const signedIn = me.data !== null && me.data !== undefined;
  const [ready, setReady] = useState(false);

  useEffect(() => {
    void firstPage.then(() => setReady(true));
    const heard = ['pointerover', 'focusin'] as const;
    for (const type of heard) document.addEventListener(type, preloadLinked);
    return () => {
      for (const type of heard) document.removeEventListener(type, preloadLinked);
    };
  }, []);

  useEffect(() => {
    whenSignedOut(() => client.setQueryData(keys.me, null));
  }, [client]);
  useEffect(() => {
    if (!signedIn) return undefined;
    live.start(() => void client.invalidateQueries({ queryKey: keys.me }));
    // Events were lost: what they would have changed is asked for.
    const forget = live.watchGaps(() => askAgain(client));
    return () => {
      forget();
      live.stop();
    };
  }, [signedIn, client]);

  if (me.isPending || me.isError || !ready) {
    return (
      <main className="signin">
        {me.isError ? <ErrorNote error={me.error} retry={() => void me.refetch()} /> : <Bones rows={3} />}
      </main>
    );
  }
  if (me.data === null) return <SignInPage />;
  return (
    <Shell me={me.data}>
      <Fence>
        <Suspense fallback={<div className="page"><Bones rows={8} /></div>}>
          <Switch>
            <Route path="/"><Redirect to="/swarms" replace /></Route>
            <Route path="/swarms"><SwarmsPage /></Route>
            <Route path="/swarms/:id/:tab?">
              {(at) => <SwarmPage key={at.id} id={at.id} tab={at.tab ?? 'overview'} />}
            </Route>
            <Route path="/scenarios"><ScenariosPage /></Route>
            <Route path="/scenarios/:id/:tab?">
              {(at) => <ScenarioPage key={at.id} id={at.id} tab={at.tab ?? 'files'} />}
            </Route>
            <Route path="/runs"><RunsPage /></Route>
            <Route path="/runs/compare"><ComparePage /></Route>
            <Route path="/runs/:id">{(at) => <RunPage key={at.id} id={at.id} />}</Route>
            <Route path="/feed"><FeedPage /></Route>
            <Route path="/tasks"><TasksPage /></Route>
            <Route path="/tasks/:id">{(at) => <TaskPage key={at.id} id={at.id} />}</Route>
            <Route path="/approvals"><ApprovalsPage /></Route>
            <Route path="/approvals/:id">{(at) => <ApprovalPage key={at.id} id={at.id} />}</Route>
            <Route path="/costs"><CostsPage /></Route>
            <Route path="/bees"><BeesPage /></Route>
            <Route path="/bees/:id">{(at) => <BeePage key={at.id} id={at.id} />}</Route>
            <Route path="/channels/:name?">{(at) => <ChannelsPage name={at.name} />}</Route>
            <Route path="/files"><FilesPage /></Route>
            <Route path="/audit"><AuditPage /></Route>
            <Route path="/settings/:tab?/:id?">{(at) => <SettingsPage tab={at.tab ?? 'you'} id={at.id} />}</Route>
            <Route>
              <div className="page">
                <Empty title="There is nothing here">The address does not belong to any page. Choose one beside.</Empty>
              </div>
            </Route>
          </Switch>
        </Suspense>
      </Fence>
      <Toasts />
    </Shell>
  );
}
