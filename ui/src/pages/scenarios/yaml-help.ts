// Where in a YAML file the cursor is, and what the schema allows there. Lines are read by their
// indentation: a file that is being typed is seldom one that a parser accepts.
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  if?: Schema;
  then?: Schema;
  definitions?: Record<string, Schema>;
}

export type Step = string | '[]';

// The path of keys around a place in which a word that begins in this column would stand.
export function pathAt(lines: string[], row: number, column: number): Step[] {
  const path: Step[] = [];
  let limit = column;
  let behindDash = false;
  const read = (line: string, own: boolean) => {
    const found = /^(\s*)((?:-\s+)*)(?:([\w.-]+)\s*:(?:\s|$))?/.exec(line);
    if (found === null) return;
    const [, spaces = '', dashes = '', key] = found;
    const keyColumn = spaces.length + dashes.length;
    if (key !== undefined && !own && (keyColumn < limit || (behindDash && keyColumn <= limit))) {
      path.unshift(key);
      limit = keyColumn;
      behindDash = false;
    }
    for (let at = dashes.length - 1; at >= 0; at -= 1) {
      if (dashes[at] !== '-') continue;
      const dashColumn = spaces.length + at;
      if (dashColumn < limit) {
        path.unshift('[]');
        limit = dashColumn;
        behindDash = true;
      }
    }
  };
  read((lines[row] ?? '').slice(0, column), true);
  for (let at = row - 1; at >= 0 && (limit > 0 || behindDash); at -= 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    read(line, false);
  }
  return path;
}

function resolved(root: Schema, schema: Schema): Schema {
  let at = schema;
  for (let hops = 0; at.$ref !== undefined && hops < 10; hops += 1) {
    const name = at.$ref.replace('#/definitions/', '');
    at = root.definitions?.[name] ?? {};
  }
  return at;
}

// A schema and all it may be read as.
function variants(root: Schema, schema: Schema, depth = 0): Schema[] {
  const own = resolved(root, schema);
  if (depth > 6) return [own];
  const more = [...(own.allOf ?? []), ...(own.anyOf ?? []), ...(own.oneOf ?? []), ...(own.then === undefined ? [] : [own.then])];
  return [own, ...more.flatMap((each) => variants(root, each, depth + 1))];
}

export function schemasAt(root: Schema, path: Step[]): Schema[] {
  let at = variants(root, root);
  for (const step of path) {
    at = at
      .flatMap((schema) => {
        if (step === '[]') return schema.items === undefined ? [] : [schema.items];
        const property = schema.properties?.[step];
        if (property !== undefined) return [property];
        return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
      })
      .flatMap((schema) => variants(root, schema));
  }
  return at;
}

export interface Suggestion {
  label: string;
  help?: string;
  opens: boolean; // an object or a list follows
}

export function keysAt(root: Schema, path: Step[]): Suggestion[] {
  const found = new Map<string, Suggestion>();
  for (const schema of schemasAt(root, path)) {
    for (const [label, property] of Object.entries(schema.properties ?? {})) {
      const of = variants(root, property);
      const help = of.find((each) => each.description !== undefined)?.description;
      const opens = of.some((each) => each.properties !== undefined || each.items !== undefined);
      if (!found.has(label)) found.set(label, { label, help, opens });
    }
  }
  return [...found.values()];
}

export function valuesAt(root: Schema, path: Step[]): string[] {
  const found = new Set<string>();
  for (const schema of schemasAt(root, path)) {
    for (const value of schema.enum ?? []) if (value !== null) found.add(String(value));
    if (schema.const !== undefined) found.add(String(schema.const));
    if (schema.type === 'boolean') {
      found.add('true');
      found.add('false');
    }
  }
  return [...found];
}
