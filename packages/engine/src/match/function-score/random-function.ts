/**
 * `random_score`: a number of each document's own, from 0 up to 1.
 *
 * With a seed it is the number that Elasticsearch gives for the same seed, index, shard and value of the field: users page through
 * a random order, and compare it between clusters.
 */
import { javaDoubleText, javaTextHash, murmur3Bytes, murmur3Final } from '@shoal/core';
import type { NumericColumn, SegmentView } from '../../format/reader/segment-reader.ts';
import { explained } from '../weight/explanation.ts';
import type { ScoreFunction } from './score-functions.ts';

/** Bits of the score: 24, as many as a float32 holds exactly. */
const RANDOM_BITS = 24;

/** Seed of one shard: shards differ, as their documents do. */
export function shardSeed(
  seed: number,
  { index, number }: { readonly index: string; readonly number: number },
): number {
  return murmur3Final(seed ^ ((javaTextHash(index) << 10) | number));
}

/**
 * @param seed of the shard
 * @param field whose value decides; null: the id
 */
export function randomFunction(seed: number, field: string | null, text: string): ScoreFunction {
  return {
    bind(view) {
      const bytesOf = valueBytes(view, field);
      const score = (doc: number): number => {
        const bytes = bytesOf(doc);
        const hash = bytes === null ? seed : murmur3Bytes(bytes, seed);
        return (hash & ((1 << RANDOM_BITS) - 1)) / (1 << RANDOM_BITS);
      };
      return { score, explain: (doc) => explained(score(doc), text) };
    },
  };
}

/** First value of a document as text in the order of its bytes; null without one. */
function valueBytes(view: SegmentView, field: string | null): (doc: number) => Uint8Array | null {
  const { segment } = view;
  if (field === null) return (doc) => Buffer.from(segment.id(doc), 'utf8');
  const column = segment.numericColumn(field);
  if (column) return (doc) => leastText(column, doc);
  const words = view.segment.writtenOrdinals(field);
  if (!words) return () => null;
  return (doc) => (words.start(doc) < words.start(doc + 1) ? words.value(words.ordinal(words.start(doc))) : null);
}

function leastText(column: NumericColumn, doc: number): Uint8Array | null {
  let least: Uint8Array | null = null;
  for (let at = column.start(doc); at < column.start(doc + 1); at++) {
    const text = column.kind === 'long' ? String(column.bigValue(at)) : javaDoubleText(column.value(at));
    const bytes = Buffer.from(text, 'utf8');
    if (least === null || Buffer.compare(bytes, least) < 0) least = bytes;
  }
  return least;
}
