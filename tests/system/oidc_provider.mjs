// An OpenID Connect provider for the tests of signing in: the oidc-provider of npm on a free port.
// Prints its address, then serves until its standard input ends. What a dishonest or broken provider
// would do is switched on at /control:
//   nonce=wrong      the ID token answers another login
//   sign=new         a new signing key, published: what every provider does now and then
//   sign=secret      a signing key that is not published
//   sign=impostor    another key under the name of the published one
//   claims=userinfo  the ID token holds only the subject; the rest is told by userinfo
//   secret=basic     the client's secret is taken in the Authorization header only
//   counts           answers how often description and keys were asked for
//   reset            honest again, with a new key, everybody signed out and the counts at zero
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

const [, , modules, redirectUri] = process.argv;
const { default: Provider } = await import(
  pathToFileURL(`${modules}/oidc-provider/lib/index.js`).href
);

const people = {
  ada: { email: 'ada@example.com', email_verified: true, groups: ['ops', 'dev'] },
  bob: { email: 'bob@example.com', email_verified: true, groups: ['dev'] },
  eve: { email: 'ada@example.com', email_verified: false, groups: [] },
};

let keysMade = 0;
function makeKey(kid = `key-${++keysMade}`) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
}
const publicPart = ({ kty, n, e, kid, use, alg }) => ({ kty, n, e, kid, use, alg });

const honest = () => ({
  nonce: 'right',
  claims: 'token',
  secret: 'post',
  signing: makeKey(),
  published: null,
  cookieKey: `only for tests ${keysMade}`,
});
const state = honest();
const counts = { description: 0, keys: 0 };
let serve;
let issuer;

function makeProvider() {
  const provider = new Provider(issuer, {
    clients: [{
      client_id: 'hive',
      client_secret: 'the word & more',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: `client_secret_${state.secret}`,
    }],
    clientAuthMethods: [`client_secret_${state.secret}`],
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'groups'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: state.claims === 'userinfo',
    cookies: { keys: [state.cookieKey] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: `subject-of-${id}`, preferred_username: id, ...people[id] }),
    }),
    jwks: { keys: [state.signing] },
  });
  // Runs before the provider's own handlers.
  provider.use(async (ctx, next) => {
    if (ctx.path === '/.well-known/openid-configuration') counts.description += 1;
    if (ctx.path === '/auth' && state.nonce === 'wrong') {
      ctx.query = { ...ctx.query, nonce: 'of-another-login' };
    }
    await next();
    if (ctx.path !== '/jwks') return;
    counts.keys += 1;
    ctx.body = { keys: [publicPart(state.published ?? state.signing)] };
  });
  serve = provider.callback();
}

function control(query) {
  if (query.has('counts')) return counts;
  if (query.has('reset')) {
    Object.assign(state, honest());
    Object.assign(counts, { description: 0, keys: 0 });
  }
  for (const name of ['nonce', 'claims', 'secret']) {
    if (query.has(name)) state[name] = query.get(name);
  }
  const sign = query.get('sign');
  if (sign === 'new') Object.assign(state, { signing: makeKey(), published: null });
  if (sign === 'secret') Object.assign(state, { published: state.signing, signing: makeKey() });
  if (sign === 'impostor') {
    Object.assign(state, { published: state.signing, signing: makeKey(state.signing.kid) });
  }
  makeProvider();
  return {};
}

const server = createServer((request, response) => {
  const url = new URL(request.url, issuer);
  if (url.pathname !== '/control') return serve(request, response);
  response.setHeader('content-type', 'application/json');
  return response.end(JSON.stringify(control(url.searchParams)));
});
server.listen(0, '127.0.0.1', () => {
  issuer = `http://127.0.0.1:${server.address().port}`;
  makeProvider();
  console.log(`ready ${issuer}`);
});
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
