/**
 * Token filter `min_hash`: the least hashes of all terms of a text, by which texts with many terms in common have many of them in common.
 *
 * Each term has `hash_count` hashes; the range of each is cut into `bucket_count` buckets, of which the `hash_set_size` least are kept.
 *
 * @see Broder, "On the resemblance and containment of documents" (1997); rotation: Shrivastava & Li, "Densifying One Permutation
 *      Hashing via Rotation for Fast Near Neighbor Search" (2014)
 */
import { illegalArgument, murmur3Wide } from '@shoal/core';
import { type ComponentOptions, readInteger } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { Token } from '../../tokens/token.ts';

/** Hashes that one text may have. */
const HASHES_MAX = 65_536;

const MASK = (1n << 64n) - 1n;
/** Buckets are ranges of the upper half of a word. */
const HALF_BITS = 32n;

interface MinHashOptions {
  readonly hashCount: number;
  readonly bucketCount: number;
  /** Hashes kept in each bucket. */
  readonly setSize: number;
  /** An empty bucket takes the least hash of the next one that has any; only where each keeps one. */
  readonly rotates: boolean;
}

/** Both words of a hash, unsigned; ordered by the second word first. */
type Hash = readonly [bigint, bigint];

export const minHash: TokenFilterType = {
  type: 'min_hash',
  options: ['hash_count', 'bucket_count', 'hash_set_size', 'with_rotation'],
  create: (options) => {
    const parsed = readOptions(options);
    const salts = Array.from({ length: parsed.hashCount }, (_, i) => saltOf(i));
    return { name: 'min_hash', transform: (tokens) => hashTokens(tokens, { ...parsed, salts }) };
  },
};

function readOptions(options: ComponentOptions): MinHashOptions {
  const hashCount = readInteger(options, 'hash_count', 1);
  const bucketCount = readInteger(options, 'bucket_count', 512);
  const setSize = readInteger(options, 'hash_set_size', 1);
  if (hashCount <= 0) throw illegalArgument('hashCount must be greater than zero');
  if (bucketCount <= 0) throw illegalArgument('bucketCount must be greater than zero');
  if (setSize <= 0) throw illegalArgument('hashSetSize must be greater than zero');
  if (hashCount * bucketCount * setSize > HASHES_MAX) {
    throw illegalArgument(`min_hash makes more than [${HASHES_MAX}] hashes of a text`);
  }
  const { with_rotation: rotation = String(bucketCount > 1) } = options;
  // Any other text than `true` is no: so the value is read where it is read at all.
  return { hashCount, bucketCount, setSize, rotates: setSize === 1 && rotation.toLowerCase() === 'true' };
}

function hashOf(bytes: Uint8Array): Hash {
  const hash = murmur3Wide(bytes, 0);
  return [hash.readBigUInt64LE(0), hash.readBigUInt64LE(8)];
}

/** What tells the hashes of one term apart. */
function saltOf(index: number): Hash {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(index);
  return hashOf(bytes);
}

function* hashTokens(
  tokens: Iterable<Token>,
  options: MinHashOptions & { readonly salts: readonly Hash[] },
): Iterable<Token> {
  const sets = options.salts.map(() => Array.from({ length: options.bucketCount }, (): Hash[] => []));
  let last: Token | null = null;
  for (const token of tokens) {
    last = token;
    addTerm(sets, token.term, options);
  }
  if (last === null) return;
  if (options.rotates) for (const buckets of sets) rotate(buckets);
  let increment = 1;
  for (const [index, buckets] of sets.entries()) {
    for (const hash of buckets.flat()) {
      const term = termOf(hash, options.hashCount > 1 ? index : null);
      const attributes = { positionLength: 1, isKeyword: false, payload: null };
      yield { term, start: 0, end: last.end, increment, type: 'MIN_HASH', ...attributes };
      increment = 0;
    }
  }
}

function addTerm(
  sets: readonly (readonly Hash[][])[],
  term: string,
  { salts, bucketCount, setSize }: MinHashOptions & { readonly salts: readonly Hash[] },
): void {
  const [first, second] = hashOf(Buffer.from(term, 'utf16le'));
  const bucketSize = ((1n << HALF_BITS) + BigInt(bucketCount) - 1n) / BigInt(bucketCount);
  for (const [i, salt] of salts.entries()) {
    const hash: Hash = [(first * 37n + salt[0]) & MASK, (second * 37n + salt[1]) & MASK];
    const bucket = sets[i]?.[Number((hash[1] >> HALF_BITS) / bucketSize)];
    if (bucket !== undefined) keepLeast(bucket, hash, setSize);
  }
}

/** Adds a hash to a sorted bucket of at most so many. Before a hash that is there already the last one goes all the same, as with Lucene. */
function keepLeast(bucket: Hash[], hash: Hash, sizeMax: number): void {
  if (bucket.length >= sizeMax) {
    if (!isLess(hash, bucket[bucket.length - 1] as Hash)) return;
    bucket.pop();
  }
  let at = bucket.length;
  while (at > 0 && isLess(hash, bucket[at - 1] as Hash)) at--;
  const before = bucket[at - 1];
  if (before !== undefined && before[0] === hash[0] && before[1] === hash[1]) return;
  bucket.splice(at, 0, hash);
}

function isLess(a: Hash, b: Hash): boolean {
  return a[1] === b[1] ? a[0] < b[0] : a[1] < b[1];
}

function rotate(buckets: Hash[][]): void {
  const count = buckets.length;
  for (const [i, bucket] of buckets.entries()) {
    for (let distance = 1; bucket.length === 0 && distance < count; distance++) {
      const [least] = buckets[(i + distance) % count] ?? [];
      if (least !== undefined) bucket.push(least);
    }
  }
}

/** Eight characters: the number of the hash, if there are several, and as much of its words as there is room for. */
function termOf([first, second]: Hash, index: number | null): string {
  const units = [second, first].flatMap((word) =>
    [48n, 32n, 16n, 0n].map((shift) => Number((word >> shift) & 0xffffn)),
  );
  return String.fromCharCode(...(index === null ? [] : [index >>> 16, index & 0xffff]), ...units).slice(0, 8);
}
