/**
 * Partial results as bytes: they travel inside an answer.
 *
 * Buckets may be many, so that writing is work in steps.
 */
import { assert, ByteSink, runSteps, StepMeter, type Steps } from '@shoal/core';
import type { Bucket, BucketKey, CompositePartial, PartialResult, ValueFormat } from '../partials/partial-result.ts';
import { writeHyperLogLog, writeQuantiles } from './sketch-codec.ts';
import {
  FORMATS,
  isLeafKind,
  KEY_BIGINT,
  KEY_KINDS,
  KEY_NONE,
  KEY_NUMBER,
  KEY_TEXT,
  KINDS,
  type LeafKind,
  SKETCH_UNITS,
} from './wire-kinds.ts';

type Leaf = Extract<PartialResult, { readonly kind: LeafKind }>;
type Bucketed = Exclude<PartialResult, Leaf>;

/** One partial result for each aggregation of a request, in their order. */
export function writePartials(partials: readonly PartialResult[]): Uint8Array {
  return runSteps(writePartialsInSteps(partials));
}

export function* writePartialsInSteps(partials: readonly PartialResult[]): Steps<Uint8Array> {
  const sink = new ByteSink(256);
  yield* writeList(sink, partials, new StepMeter());
  return sink.copy();
}

function* writeList(sink: ByteSink, partials: readonly PartialResult[], meter: StepMeter): Steps<void> {
  sink.varint(partials.length);
  for (const partial of partials) {
    if (isLeaf(partial)) {
      if (meter.isDue(writeLeaf(sink, partial))) yield;
    } else yield* writeBucketed(sink, partial, meter);
  }
}

function isLeaf(partial: PartialResult): partial is Leaf {
  return isLeafKind(partial.kind);
}

/** Returns the units of work that it took. */
function writeLeaf(sink: ByteSink, partial: Leaf): number {
  sink.u8(KINDS.indexOf(partial.kind));
  switch (partial.kind) {
    case 'stats':
      writeFormat(sink, partial.format);
      sink.f64(partial.count);
      sink.f64(partial.sum);
      sink.f64(partial.min);
      sink.f64(partial.max);
      sink.f64(partial.sumOfSquares);
      return 0.2;
    case 'cardinality':
      writeHyperLogLog(sink, partial.sketch);
      return SKETCH_UNITS;
    case 'percentiles':
      writeFormat(sink, partial.format);
      writeQuantiles(sink, partial.sketch);
      return SKETCH_UNITS;
    case 'weightedAverage':
      sink.f64(partial.sum);
      sink.f64(partial.weight);
      return 0.2;
  }
}

function* writeBucketed(sink: ByteSink, partial: Bucketed, meter: StepMeter): Steps<void> {
  sink.u8(KINDS.indexOf(partial.kind));
  switch (partial.kind) {
    case 'terms':
      sink.u8(KEY_KINDS.indexOf(partial.keyKind));
      writeFormat(sink, partial.format);
      sink.f64(partial.otherDocCount);
      sink.f64(partial.error);
      sink.f64(partial.shardCount);
      return yield* writeBuckets(sink, meter, partial.buckets, (bucket) => {
        writeKey(sink, bucket.key);
        sink.f64(bucket.error);
      });
    case 'histogram':
      writeFormat(sink, partial.format);
      return yield* writeBuckets(sink, meter, partial.buckets, ({ key }) => sink.f64(key));
    case 'range':
      writeFormat(sink, partial.format);
      return yield* writeBuckets(sink, meter, partial.buckets, ({ key }) => {
        sink.f64(key.from);
        sink.f64(key.to);
      });
    case 'filters':
      return yield* writeBuckets(sink, meter, partial.buckets, () => undefined);
    case 'composite':
      return yield* writeComposite(sink, meter, partial);
  }
}

function* writeComposite(sink: ByteSink, meter: StepMeter, partial: CompositePartial): Steps<void> {
  sink.varint(partial.formats.length);
  for (const format of partial.formats) writeFormat(sink, format);
  sink.varint(partial.keyKinds.length);
  for (const kind of partial.keyKinds) sink.u8(KEY_KINDS.indexOf(kind));
  yield* writeBuckets(sink, meter, partial.buckets, ({ key }) => {
    assert(key.length === partial.formats.length, 'a composite key that does not fit its sources');
    for (const value of key) writeKey(sink, value);
  });
}

function* writeBuckets<B extends Bucket<unknown>>(
  sink: ByteSink,
  meter: StepMeter,
  buckets: readonly B[],
  writeHead: (bucket: B) => void,
): Steps<void> {
  sink.varint(buckets.length);
  for (const bucket of buckets) {
    writeHead(bucket);
    sink.f64(bucket.docCount);
    if (bucket.children.length === 0) sink.varint(0);
    else yield* writeList(sink, bucket.children, meter);
    if (meter.isDue(0.3)) yield;
  }
}

function writeFormat(sink: ByteSink, format: ValueFormat): void {
  sink.u8(FORMATS.indexOf(format.kind));
  if (format.kind === 'date') {
    sink.text(format.format);
    sink.text(format.timeZone);
  } else if (format.kind === 'decimal') sink.text(format.pattern);
}

function writeKey(sink: ByteSink, key: BucketKey | null): void {
  if (key === null) sink.u8(KEY_NONE);
  else if (typeof key === 'string') {
    sink.u8(KEY_TEXT);
    sink.text(key);
  } else if (typeof key === 'number') {
    sink.u8(KEY_NUMBER);
    sink.f64(key);
  } else {
    sink.u8(KEY_BIGINT);
    sink.text(String(key));
  }
}
