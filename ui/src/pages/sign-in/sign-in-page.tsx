import { useQuery } from '@tanstack/react-query';
import { Mark } from '../../parts/icons';
import { useTitle } from '../../parts/basics';

// Whether people may sign in with their organisation is in the description of the API.
async function hasProvider(): Promise<boolean> {
  const response = await fetch('/api/openapi.json');
  const document = (await response.json()) as { paths?: Record<string, unknown> };
  return document.paths?.['/auth/login'] !== undefined;
}

export function SignInPage() {
  useTitle('Sign in');
  const provider = useQuery({ queryKey: ['provider'], queryFn: hasProvider, staleTime: Infinity });
  const back = encodeURIComponent(location.pathname + location.search);
  return (
    <main className="signin">
      <div className="panel card">
        <Mark />
        <h1>Sign in to PocketHive</h1>
        {provider.data === true && (
          <p className="provider">
            <a className="button primary" href={`/auth/login?return_to=${back}`}>Sign in with your organisation</a>
          </p>
        )}
        <ol>
          <li>
            <span>
              <strong>You run this hive?</strong> Open the one-time link that <code>hive up</code> printed in its
              terminal. Start it again for a new one.
            </span>
          </li>
          <li>
            <span>
              <strong>Somebody else does?</strong> Ask an administrator for a link: they make one in Settings. It works
              once, within a quarter of an hour.
            </span>
          </li>
        </ol>
        <p className="small muted">Programs use keys instead: <code>hive login</code> or <code>hive key create</code>.</p>
      </div>
    </main>
  );
}
