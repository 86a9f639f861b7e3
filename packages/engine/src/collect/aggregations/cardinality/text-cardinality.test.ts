import {
  type CardinalityAggregation,
  HyperLogLog,
  type PartialResult,
  parseAggregations,
  precisionOf,
  ValueHash,
} from '@shoal/aggregations';
import { type JsonObjectNode, parseJsonTree, StepMeter } from '@shoal/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';
import { memoryContext } from '../../../phases/query/memory-searcher.test-support.ts';
import type { AggregationContext } from '../collector/aggregation-context.ts';
import { DocBatch } from '../collector/doc-batch.ts';
import { resolveSource } from '../values/field-values.ts';
import { TextCardinalityCollector } from './text-cardinality.ts';

/** Enough distinct values for a sketch of all of them to be kept. */
const VALUES = 300;
const DOCS = 900;
const encoder = new TextEncoder();
const valuesOf = (doc: number): readonly string[] =>
  doc % 10 === 0 ? [] : [`v${(doc * 7) % VALUES}`, `v${(doc * 11) % VALUES}`];
const mapping = { properties: { k: { type: 'keyword' } } };
const docs = Array.from({ length: DOCS }, (_, doc) => ({
  id: String(doc),
  source: JSON.stringify({ k: valuesOf(doc) }),
}));

/** Documents of one batch: without gaps where their number is not negative. */
interface Asked {
  readonly from: number;
  readonly to: number;
  /** Listed one by one; else without gaps. */
  readonly isListed: boolean;
}

function collectorOf(context: ReturnType<typeof memoryContext>, threshold: number, missing?: string) {
  const body = { c: { cardinality: { field: 'k', precision_threshold: threshold, ...(missing ? { missing } : {}) } } };
  const { aggregations } = parseAggregations(parseJsonTree(encoder.encode(JSON.stringify(body))) as JsonObjectNode);
  // The body names nothing else.
  const aggregation = aggregations[0] as CardinalityAggregation;
  // A field is resolved by the mapping alone.
  const source = resolveSource(context as unknown as AggregationContext, aggregation.source);
  return new TextCardinalityCollector(aggregation, source, true);
}

function sketchOf(collector: TextCardinalityCollector, view: SegmentView, batches: readonly Asked[]): HyperLogLog {
  const meter = new StepMeter();
  const buckets = new Uint32Array(BATCH_SIZE);
  collector.enter(view);
  for (const { from, to, isListed } of batches) {
    for (let at = from; at < to; at += BATCH_SIZE) {
      const batch = new DocBatch();
      const end = Math.min(to, at + BATCH_SIZE);
      if (isListed)
        batch.setList(
          Uint32Array.from({ length: end - at }, (_, i) => at + i),
          end - at,
        );
      else batch.setStretch(at, end);
      collector.collect(batch, buckets);
    }
  }
  for (const _ of collector.leave(meter)) expect(_).toBeUndefined();
  const results = collector.results([0], meter);
  let step = results.next();
  while (step.done !== true) step = results.next();
  const [partial] = step.value as PartialResult[];
  if (partial?.kind !== 'cardinality') throw new Error('no sketch');
  return partial.sketch;
}

/** By definition: every value of every document is hashed. */
function plainSketch(precision: number, batches: readonly Asked[], missing?: string): HyperLogLog {
  const sketch = new HyperLogLog(precision);
  const hash = new ValueHash();
  for (const { from, to } of batches) {
    for (let doc = from; doc < to; doc++) {
      const values = valuesOf(doc);
      for (const value of values.length === 0 && missing !== undefined ? [missing] : values) {
        hash.bytes(encoder.encode(value));
        sketch.add(hash.high, hash.low);
      }
    }
  }
  return sketch;
}

function contentOf(sketch: HyperLogLog): readonly unknown[] {
  const { hashes, registers } = sketch.state();
  if (hashes === null) return [sketch.precision, [...registers]];
  const pairs = Array.from({ length: hashes.length / 2 }, (_, i) => `${hashes[2 * i]} ${hashes[2 * i + 1]}`);
  return [sketch.precision, pairs.sort()];
}

const ALL: Asked = { from: 0, to: DOCS, isListed: false };
const batchesArb = fc
  .tuple(
    fc.uniqueArray(fc.nat(DOCS), { maxLength: 6 }),
    fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 7, maxLength: 7 }),
  )
  .map(([cuts, ways]) => {
    const edges = [...new Set([0, ...cuts, DOCS])].sort((a, b) => a - b);
    const ranges = edges.slice(1).map((to, i) => ({ from: edges[i] ?? 0, to, isListed: ways[i]?.[0] === true }));
    return ranges.filter((_, i) => ways[i]?.[1] === true);
  });

test.each([
  ['exact', 3_000],
  ['of registers', 20],
])('a sketch that is %s has the values of the documents that came, whatever is known of all values', (_, threshold) => {
  const context = memoryContext(mapping, [docs]);
  const view = context.searcher.views[0]!;
  const precision = precisionOf(threshold);
  fc.assert(
    fc.property(batchesArb, (batches) => {
      const got = sketchOf(collectorOf(context, threshold), view, batches);
      expect(contentOf(got)).toEqual(contentOf(plainSketch(precision, batches)));
      // Now the sketch of all values is known.
      const whole = sketchOf(collectorOf(context, threshold), view, [ALL]);
      expect(contentOf(whole)).toEqual(contentOf(plainSketch(precision, [ALL])));
    }),
    { numRuns: 60 },
  );
});

test('documents without a value count as the value that takes its place, also where all documents come again', () => {
  const context = memoryContext(mapping, [docs]);
  const view = context.searcher.views[0]!;
  const plain = contentOf(plainSketch(precisionOf(3_000), [ALL], 'none'));
  for (let i = 0; i < 3; i++) {
    expect(contentOf(sketchOf(collectorOf(context, 3_000, 'none'), view, [ALL]))).toEqual(plain);
    sketchOf(collectorOf(context, 3_000), view, [ALL]);
  }
});

test('where all documents come again none of them is read', () => {
  const context = memoryContext(mapping, [docs]);
  const view = context.searcher.views[0]!;
  sketchOf(collectorOf(context, 3_000), view, [ALL]);
  const column = view.segment.ordinalColumn('k')!;
  let reads = 0;
  const read = column.ordinal.bind(column);
  column.ordinal = (index) => {
    reads++;
    return read(index);
  };
  sketchOf(collectorOf(context, 3_000), view, [{ ...ALL, to: DOCS - 1 }]);
  expect(reads).toBeGreaterThan(DOCS);
  reads = 0;
  sketchOf(collectorOf(context, 3_000), view, [ALL]);
  expect(reads).toBe(0);
});
