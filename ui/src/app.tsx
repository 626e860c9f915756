import { useQueryClient } from '@tanstack/react-query';
import { Component, lazy, Suspense, useEffect, type ComponentType, type ReactNode } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { whenSignedOut } from './api/client';
import { live } from './api/live';
import { keys, useMe } from './api/queries';
import { Bones, Empty, ErrorNote } from './parts/basics';
import { Toasts } from './parts/toasts';
import { SignInPage } from './pages/sign-in/sign-in-page';
import { Shell } from './shell/shell';

// A page is a folder below pages/, loaded when it is first shown. The one that the address names is loaded at
// once, while the server is asked who is there. An address that ends with a slash is that of all below it.
function page<Parts>(at: string, load: () => Promise<{ default: ComponentType<Parts> }>) {
  const here = location.pathname === '/' ? '/swarms' : location.pathname;
  // What goes wrong is told when it is shown.
  if (at.endsWith('/') ? here.startsWith(at) : here === at) load().catch(() => undefined);
  return lazy(load);
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

  useEffect(() => {
    whenSignedOut(() => client.setQueryData(keys.me, null));
  }, [client]);
  useEffect(() => {
    if (!signedIn) return undefined;
    live.start(() => void client.invalidateQueries({ queryKey: keys.me }));
    // Events were lost: what they would have changed is asked for.
    const forget = live.watchGaps(() => void client.invalidateQueries());
    return () => {
      forget();
      live.stop();
    };
  }, [signedIn, client]);

  if (me.isPending || me.isError) {
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
