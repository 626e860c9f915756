import type { components, paths } from './schema';

export type Schemas = components['schemas'];
export type Problem = Schemas['Problem'] & { findings?: Schemas['ScenarioFinding'][] };

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type JsonOf<R> = R extends { content: { 'application/json': infer Body } } ? Body : never;
type Success<R> = { [S in keyof R]: S extends 200 | 201 | 202 ? JsonOf<R[S]> : never }[keyof R];
type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;
export type Answer<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer R } ? Success<R> : never;

export interface RequestParts {
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  ifMatch?: string;
  signal?: AbortSignal;
}

// What the server refused, in its own words.
export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
  get status(): number {
    return this.problem.status;
  }
}

// The server could not be asked at all.
export class UnreachableError extends Error {
  constructor() {
    super('The server does not answer.');
  }
}

// A rule holds it back: it is done when somebody approves.
export class HeldError extends Error {
  constructor(readonly approval: string) {
    super('A rule holds it back. It is done as soon as it is approved.');
  }
}

let csrfToken = '';
let onSignedOut: () => void = () => undefined;

export function keepCsrfToken(token: string): void {
  csrfToken = token;
}
export function whenSignedOut(act: () => void): void {
  onSignedOut = act;
}

export function urlOf(template: string, parts: RequestParts = {}): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parts.path?.[name];
    if (value === undefined) throw new Error(`${template} needs ${name}`);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts.query ?? {})) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    const body: unknown = await response.json();
    if (typeof body === 'object' && body !== null && 'code' in body && 'detail' in body) {
      return body as Problem;
    }
  } catch {
    // Not ours: a proxy answered.
  }
  return {
    type: 'about:blank',
    title: response.statusText,
    status: response.status,
    code: 'unknown',
    detail: `The server answered ${response.status} ${response.statusText}.`,
    retryable: response.status >= 500,
  };
}

export async function send(method: Method, url: string, parts: RequestParts & { type?: string }): Promise<Response> {
  const headers = new Headers();
  if (method !== 'get') headers.set('X-CSRF-Token', csrfToken);
  if (parts.ifMatch !== undefined) headers.set('If-Match', parts.ifMatch);
  let body: BodyInit | undefined;
  if (parts.type !== undefined) {
    headers.set('Content-Type', parts.type);
    body = parts.body as BodyInit;
  } else if (parts.body !== undefined) {
    headers.set('Content-Type', 'application/json');
    body = JSON.stringify(parts.body);
  }
  let response: Response;
  try {
    response = await fetch(url, { method: method.toUpperCase(), headers, body, signal: parts.signal });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new UnreachableError();
  }
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (response.status === 401) onSignedOut();
  throw new ProblemError(problem);
}

// The approval that an act waits for, when it does; other answers with 202 name a command or a delivery.
export function heldBy(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('approval' in answer) || !('url' in answer)) return undefined;
  return String(answer.approval);
}

// One request of the API, typed by its description: the path as it stands there, parameters beside.
export async function call<P extends keyof paths, M extends Method>(
  method: M,
  path: P,
  parts: RequestParts = {},
): Promise<Answer<P, M>> {
  const response = await send(method, urlOf(path, parts), parts);
  const text = await response.text();
  const answer: unknown = text === '' ? undefined : JSON.parse(text);
  if (response.status === 202 && heldBy(answer) !== undefined) throw new HeldError(heldBy(answer) ?? '');
  return answer as Answer<P, M>;
}

// What is wrong with one field of a form, by its JSON pointer.
export function fieldProblem(error: unknown, pointer: string): string | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  return error.problem.errors?.find((each) => each.pointer === pointer)?.detail;
}
