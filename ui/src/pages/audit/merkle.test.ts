import { createHash, webcrypto } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { rootOf } from './merkle';

// Browsers have it; Node.js 18 only under another name.
globalThis.crypto ??= webcrypto as Crypto;

const hash = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const leafOf = (text: string): Buffer => hash(Buffer.from([0]), Buffer.from(text));
const nodeOf = (left: Buffer, right: Buffer): Buffer => hash(Buffer.from([1]), left, right);

// The tree of RFC 6962, built the other way round: by splitting.
function treeOf(leaves: Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0] as Buffer;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeOf(treeOf(leaves.slice(0, split)), treeOf(leaves.slice(split)));
}
function pathOf(index: number, leaves: Buffer[]): Buffer[] {
  if (leaves.length === 1) return [];
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return index < split
    ? [...pathOf(index, leaves.slice(0, split)), treeOf(leaves.slice(split))]
    : [...pathOf(index - split, leaves.slice(split)), treeOf(leaves.slice(0, split))];
}

describe('a proof of inclusion', () => {
  it('leads to the root from every leaf of trees of every size', async () => {
    for (let size = 1; size <= 17; size += 1) {
      const leaves = Array.from({ length: size }, (_, index) => leafOf(`entry ${index}`));
      const root = treeOf(leaves).toString('hex');
      for (let index = 0; index < size; index += 1) {
        const path = pathOf(index, leaves).map((each) => each.toString('hex'));
        const leaf = (leaves[index] as Buffer).toString('hex');
        expect(await rootOf({ index, size, leaf, path })).toBe(root);
        if (path.length > 0) {
          expect(await rootOf({ index, size, leaf: leafOf('forged').toString('hex'), path })).not.toBe(root);
          expect(await rootOf({ index, size, leaf, path: path.slice(1) })).not.toBe(root);
        }
      }
    }
  });
});
