import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { HeldError, ProblemError, UnreachableError } from '../api/client';
import { AlertIcon, CloseIcon, Comb, CopyIcon, GoodIcon, InfoIcon } from './icons';

export function Dialog(props: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  foot?: ReactNode;
  wide?: boolean;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
  }, []);
  return (
    <dialog
      ref={ref}
      className={props.wide === true ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onClose={props.onClose}
      onCancel={props.onClose}
    >
      <div className="inner">
        <div className="head">
          <h2 id={id}>{props.title}</h2>
          <button type="button" className="button quiet icon small" aria-label="Close" onClick={props.onClose}>
            <CloseIcon />
          </button>
        </div>
        <div className="content">{props.children}</div>
        {props.foot !== undefined && <div className="foot">{props.foot}</div>}
      </div>
    </dialog>
  );
}

export function Note(props: { kind?: 'bad' | 'warn' | 'good' | 'info'; children: ReactNode }) {
  const kind = props.kind ?? 'info';
  return (
    <div className={`note ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {kind === 'good' ? <GoodIcon /> : kind === 'info' ? <InfoIcon /> : <AlertIcon />}
      <div>{props.children}</div>
    </div>
  );
}

// What a person can do about it, where the answer itself does not say.
export function adviceFor(error: unknown): string {
  if (error instanceof UnreachableError) {
    return 'Check that the hive is running and that this machine reaches it; the page goes on by itself when it does.';
  }
  if (!(error instanceof ProblemError)) return 'Reload the page; if it happens again, look into the log of the server.';
  switch (error.status) {
    case 401:
      return 'Sign in again.';
    case 403:
      return 'Your role does not include this. Ask an administrator of this hive.';
    case 404:
      return 'It may have been removed meanwhile.';
    case 409:
      return 'Its state has changed meanwhile; look again and repeat if you still want it.';
    case 412:
      return 'Somebody else changed it meanwhile. Load it again, then repeat your change.';
    case 429:
      return 'Too many requests; wait a moment.';
    default:
      return error.problem.retryable ? 'Try again in a moment.' : '';
  }
}

export function ErrorNote(props: { error: unknown; retry?: () => void }) {
  const { error } = props;
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof HeldError) {
    return <Note><strong>It waits for approval.</strong> {detail} <Link href={`/approvals/${error.approval}`}>See the request</Link></Note>;
  }
  const places = error instanceof ProblemError ? (error.problem.errors ?? []) : [];
  const more = places.filter((each) => each.detail !== detail);
  return (
    <Note kind="bad">
      <strong>{detail.charAt(0).toUpperCase() + detail.slice(1)}</strong>
      {more.length > 0 && (
        <ul>
          {more.map((each, index) => (
            <li key={index}>
              {each.pointer !== undefined && <code>{each.pointer}</code>} {each.detail}
            </li>
          ))}
        </ul>
      )}
      {adviceFor(error) !== '' && <div className="muted">{adviceFor(error)}</div>}
      {props.retry !== undefined && (
        <button type="button" className="button small retry" onClick={props.retry}>
          Try again
        </button>
      )}
    </Note>
  );
}

export function Empty(props: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <Comb />
      <h2>{props.title}</h2>
      <p>{props.children}</p>
      {props.action}
    </div>
  );
}

// Links, each with an address of its own; the one that is open is in sight, however narrow the screen.
export function Tabs(props: { label: string; items: { to: string; name: string; here: boolean; n?: number }[] }) {
  const ref = useRef<HTMLElement>(null);
  const open = props.items.findIndex((item) => item.here);
  useEffect(() => {
    const show = () => {
      const nav = ref.current;
      const link = nav?.querySelector<HTMLElement>('[aria-current]');
      if (nav && link) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
    };
    show();
    addEventListener('resize', show);
    return () => removeEventListener('resize', show);
  }, [open]);
  return (
    <nav className="tabs" aria-label={props.label} ref={ref}>
      {props.items.map((item) => (
        <Link key={item.to} href={item.to} aria-current={item.here ? 'page' : undefined}>
          {item.name}
          {item.n !== undefined && item.n > 0 && <span className="n">{item.n}</span>}
        </Link>
      ))}
    </nav>
  );
}

export function Bones(props: { rows?: number; height?: number }) {
  return (
    <div className="bones" role="status" aria-label="Loading">
      {Array.from({ length: props.rows ?? 5 }, (_, index) => (
        <div key={index} className="bone" style={{ height: props.height ?? 22, width: `${92 - ((index * 17) % 40)}%` }} />
      ))}
    </div>
  );
}

export function Field(props: {
  label: string;
  hint?: ReactNode;
  wrong?: string | undefined;
  children: (parts: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean }) => ReactNode;
}) {
  const id = useId();
  const told = props.wrong ?? props.hint;
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      {props.children({
        id,
        'aria-describedby': told === undefined ? undefined : `${id}-hint`,
        'aria-invalid': props.wrong !== undefined,
      })}
      {told !== undefined && <div id={`${id}-hint`} className={props.wrong === undefined ? 'hint' : 'wrong'}>{told}</div>}
    </div>
  );
}

export function Copy(props: { text: string; label: string }) {
  const [done, setDone] = useState(false);
  return (
    <button
      type="button"
      className="button small"
      onClick={() => {
        void navigator.clipboard.writeText(props.text).then(() => {
          setDone(true);
          setTimeout(() => setDone(false), 2000);
        });
      }}
    >
      <CopyIcon />
      {done ? 'Copied' : props.label}
    </button>
  );
}

// The time, once a second: ages on the page grow without anything being asked.
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · PocketHive`;
  }, [title]);
}
