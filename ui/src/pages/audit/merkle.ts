// RFC 6962: from a leaf and the path of its neighbours to the root, computed here and not believed.
export interface Inclusion {
  index: number;
  size: number;
  leaf: string;
  path: string[];
}

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

async function nodeOf(left: Uint8Array, right: Uint8Array): Promise<Uint8Array> {
  const joined = new Uint8Array(1 + left.length + right.length);
  joined[0] = 1; // a node, not a leaf
  joined.set(left, 1);
  joined.set(right, 1 + left.length);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', joined));
}

// The root that this proof leads to; nothing when the path has not the length it must have.
export async function rootOf(proof: Inclusion): Promise<string | undefined> {
  let index = proof.index;
  let last = proof.size - 1;
  let at = bytesOf(proof.leaf);
  for (const step of proof.path) {
    if (last === 0) return undefined;
    const neighbour = bytesOf(step);
    if (index % 2 === 1 || index === last) {
      at = await nodeOf(neighbour, at);
      while (index % 2 === 0 && index !== 0) {
        index = Math.floor(index / 2);
        last = Math.floor(last / 2);
      }
    } else {
      at = await nodeOf(at, neighbour);
    }
    index = Math.floor(index / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? hexOf(at) : undefined;
}
