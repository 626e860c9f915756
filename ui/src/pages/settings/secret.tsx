import { Copy, Dialog, Note } from '../../parts/basics';

export const roles = ['readonly', 'bee', 'human', 'admin'] as const;
export const roleWords: Record<string, string> = {
  readonly: 'may look at everything but keys and webhooks',
  bee: 'works on tasks and talks; sees swarms',
  human: 'runs swarms and decides',
  admin: 'may do everything, keys included',
};

export interface Secret {
  title: string;
  text: string;
  note: string;
}

export function SecretDialog(props: Secret & { onClose: () => void }) {
  return (
    <Dialog title={props.title} onClose={props.onClose} foot={<button type="button" className="button primary" onClick={props.onClose}>I have kept it</button>}>
      <Note kind="warn"><strong>It is shown once.</strong> {props.note}</Note>
      <pre className="secret mono" tabIndex={0} aria-label="Secret">{props.text}</pre>
      <div><Copy text={props.text} label="Copy" /></div>
    </Dialog>
  );
}
