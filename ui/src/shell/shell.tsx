import { useEffect, useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { call } from '../api/client';
import type { LiveState } from '../api/live';
import type { Me } from '../api/queries';
import { approvals, useOpenApprovals } from '../api/approvals';
import { useFresh } from '../api/colony';
import { useLiveState } from '../api/use-live';
import { useNow } from '../parts/basics';
import {
  ApprovalIcon,
  AuditIcon,
  BeeIcon,
  ChannelIcon,
  CostIcon,
  ExitIcon,
  FeedIcon,
  FilesIcon,
  Mark,
  MoreIcon,
  MoonIcon,
  RunIcon,
  ScenarioIcon,
  ScreenIcon,
  SettingsIcon,
  SunIcon,
  SwarmIcon,
  TaskIcon,
} from '../parts/icons';
import { Menu, MenuHead, MenuItem, MenuLine } from '../parts/menu';
import { tell } from '../parts/toasts';
import { chooseTheme, useTheme, type Theme } from '../theme';
import { span } from '../format';

interface Place {
  to: string;
  name: string;
  icon: ReactNode;
  // On a phone it is behind “More”.
  minor?: boolean;
}
const places: { name: string; places: Place[] }[] = [
  {
    name: 'Traffic',
    places: [
      { to: '/swarms', name: 'Swarms', icon: <SwarmIcon /> },
      { to: '/scenarios', name: 'Scenarios', icon: <ScenarioIcon />, minor: true },
      { to: '/runs', name: 'Runs', icon: <RunIcon />, minor: true },
    ],
  },
  {
    name: 'Colony',
    places: [
      { to: '/feed', name: 'Feed', icon: <FeedIcon />, minor: true },
      { to: '/tasks', name: 'Tasks', icon: <TaskIcon /> },
      { to: '/approvals', name: 'Approvals', icon: <ApprovalIcon /> },
      { to: '/bees', name: 'Bees', icon: <BeeIcon />, minor: true },
      { to: '/channels', name: 'Channels', icon: <ChannelIcon /> },
      { to: '/costs', name: 'Costs', icon: <CostIcon />, minor: true },
    ],
  },
  {
    name: 'Hive',
    places: [
      { to: '/files', name: 'Files', icon: <FilesIcon />, minor: true },
      { to: '/audit', name: 'Audit', icon: <AuditIcon />, minor: true },
      { to: '/settings', name: 'Settings', icon: <SettingsIcon />, minor: true },
    ],
  },
];
const minor = places.flatMap((group) => group.places).filter((place) => place.minor === true);

const themes: { theme: Theme; name: string; icon: ReactNode }[] = [
  { theme: 'light', name: 'Light', icon: <SunIcon /> },
  { theme: 'dark', name: 'Dark', icon: <MoonIcon /> },
  { theme: 'auto', name: 'As the system', icon: <ScreenIcon /> },
];

const stateWords: Record<LiveState, string> = {
  live: 'Live',
  connecting: 'Connecting…',
  reconnecting: 'Reconnecting…',
};

function Stream() {
  const state = useLiveState();
  return (
    <div className="stream" data-state={state} role="status" aria-label={`Connection: ${stateWords[state]}`}>
      <i /> <span>{stateWords[state]}</span>
    </div>
  );
}

function StaleBar() {
  const state = useLiveState();
  const [since, setSince] = useState<number>();
  const now = useNow();
  useEffect(() => {
    setSince(state === 'reconnecting' ? Date.now() : undefined);
  }, [state]);
  // A blink of the network is nobody's business.
  if (since === undefined || now - since < 1000) return null;
  return (
    <div className="stale-bar" role="alert">
      <span className="spin" />
      No connection for {span(now - since)}: what you see may be out of date. Trying again by itself.
    </div>
  );
}

// How many requests wait for this very person.
function Waiting() {
  const open = useOpenApprovals();
  useFresh(['approval.#'], approvals.all);
  const mine = (open.data ?? []).filter((approval) => approval.mayDecide === true).length;
  if (mine === 0) return null;
  return <span className="count"><span aria-hidden="true">{mine}</span><span className="hidden-text"> {mine} {mine === 1 ? 'waits' : 'wait'} for you</span></span>;
}

function Who(props: { me: Me }) {
  const theme = useTheme();
  const { me } = props;
  const leave = () => {
    call('delete', '/api/v1/session')
      // A new page: nothing of what this person saw stays behind.
      .then(() => location.assign('/'))
      .catch((error: unknown) => tell('bad', 'Could not sign out', String(error)));
  };
  return (
    <Menu
      trigger={
        <button type="button" className="who">
          <span className="face" aria-hidden="true">{me.id.charAt(0)}</span>
          <span className="name">
            <b>{me.id}</b>
            <span>{me.role}</span>
          </span>
          <span className="hidden-text">Account and theme of {me.id}</span>
        </button>
      }
    >
      <MenuHead>
        <strong>{me.id}</strong>
        {me.role} of hive {me.hive}
      </MenuHead>
      <MenuLine />
      {themes.map((each) => (
        <MenuItem key={each.theme} onSelect={() => chooseTheme(each.theme)}>
          {each.icon} {each.name} {theme === each.theme && <span className="muted">· chosen</span>}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={leave}>
        <ExitIcon /> Sign out
      </MenuItem>
    </Menu>
  );
}

function Brand(props: { hive: string }) {
  return (
    <Link href="/swarms" className="brand">
      <Mark />
      <span>
        <b>PocketHive</b>
        <span>{props.hive}</span>
      </span>
    </Link>
  );
}

export function Shell(props: { me: Me; children: ReactNode }) {
  const [at, go] = useLocation();
  return (
    <div className="shell">
      <a className="skip" href="#main">Skip to the content</a>
      <div className="side">
        <Brand hive={props.me.hive} />
        <nav className="nav" aria-label="Main">
          {places.map((group) => (
            <div key={group.name} className="group">
              <span className="group-name" aria-hidden="true">{group.name}</span>
              {group.places.map((place) => (
                <Link key={place.to} href={place.to} className={place.minor === true ? 'minor' : undefined}
                  aria-current={at.startsWith(place.to) ? 'page' : undefined}>
                  {place.icon}
                  {place.name}
                  {place.to === '/approvals' && <Waiting />}
                </Link>
              ))}
            </div>
          ))}
          <Menu
            trigger={
              <button type="button" className="more" data-here={minor.some((place) => at.startsWith(place.to))}><MoreIcon />More</button>
            }
          >
            {minor.map((place) => (
              <MenuItem key={place.to} onSelect={() => go(place.to)}>{place.icon} {place.name}</MenuItem>
            ))}
          </Menu>
        </nav>
        <div className="foot">
          <Stream />
          <Who me={props.me} />
        </div>
      </div>
      <main className="main" id="main" tabIndex={-1}>
        <div className="topbar">
          <Brand hive={props.me.hive} />
          <Stream />
          <Who me={props.me} />
        </div>
        <StaleBar />
        {props.children}
      </main>
    </div>
  );
}
