import type { Json, JsonObject } from '../../api/model';

export interface Change {
  path: string;
  before: Json | undefined;
  after: Json | undefined;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Every place in which two configurations differ; lists are compared as a whole, as they are merged.
export function changesOf(before: Json | undefined, after: Json | undefined, path = ''): Change[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => changesOf(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  if (isObject(after) && before === undefined && Object.keys(after).length > 0) return changesOf({}, after, path);
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

// What has to be sent for that: only what is new or other.
export function patchOf(changes: Change[]): JsonObject {
  const patch: JsonObject = {};
  for (const { path, after } of changes) {
    if (after === undefined) continue;
    const words = path.split('.');
    let at = patch;
    for (const word of words.slice(0, -1)) {
      const next = at[word];
      if (isObject(next)) at = next;
      else at = at[word] = {};
    }
    at[words[words.length - 1] ?? ''] = after;
  }
  return patch;
}
