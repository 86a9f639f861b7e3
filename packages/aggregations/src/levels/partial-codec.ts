/**
 * Partial results as bytes and back: they travel inside the answer of a shard. What is read is checked.
 *
 * Buckets may be many, so that writing and reading are work in steps.
 */
import { ByteSink, ByteSource, DamagedBytes, runSteps, StepMeter, type Steps } from '@shoal/core';
import type { PartialSink, PartialSource } from '../contract/partial-kind.ts';
import { PARTIAL_KINDS, partialKindOf } from '../kinds/aggregation-kinds.ts';
import { asBucketed, type Bucket, type PartialNode } from '../tree/partial-node.ts';
import { readChoice, readCount } from '../wire/wire-list.ts';

/** Levels of partial results in bytes; requests nest less deep. */
const DEPTH_MAX = 100;
/** Microseconds that a bucket costs, about. */
const BUCKET_UNITS = 0.3;

/** Writes one partial result for each aggregation of a request, in their order. */
export function writePartials(partials: readonly PartialNode[]): Uint8Array {
  return runSteps(writePartialsInSteps(partials));
}

export function* writePartialsInSteps(partials: readonly PartialNode[]): Steps<Uint8Array> {
  const writer = new PartialWriter();
  yield* writer.list(partials);
  return writer.sink.copy();
}

class PartialWriter implements PartialSink {
  readonly sink: ByteSink = new ByteSink(256);
  private readonly meter = new StepMeter();

  *list(partials: readonly PartialNode[]): Steps<void> {
    const { sink, meter } = this;
    sink.varint(partials.length);
    for (const partial of partials) {
      const kind = partialKindOf(partial);
      sink.u8(PARTIAL_KINDS.indexOf(kind));
      if (kind.family === 'bucketed') yield* kind.write(this, asBucketed(partial));
      else {
        kind.write(sink, partial);
        if (meter.isDue(kind.units)) yield;
      }
    }
  }

  *buckets<B extends Bucket<unknown>>(buckets: readonly B[], writeHead: (bucket: B) => void): Steps<void> {
    const { sink, meter } = this;
    sink.varint(buckets.length);
    for (const bucket of buckets) {
      writeHead(bucket);
      sink.f64(bucket.docCount);
      if (bucket.children.length === 0) sink.varint(0);
      else yield* this.list(bucket.children);
      if (meter.isDue(BUCKET_UNITS)) yield;
    }
  }
}

/** @throws DamagedBytes */
export function readPartials(bytes: Uint8Array): readonly PartialNode[] {
  return runSteps(readPartialsInSteps(bytes));
}

/** @throws DamagedBytes */
export function* readPartialsInSteps(bytes: Uint8Array): Steps<readonly PartialNode[]> {
  const from = new ByteSource(bytes);
  const partials = yield* new PartialReader(from).list();
  if (from.at !== bytes.length) throw new DamagedBytes(`${bytes.length - from.at} bytes behind the partial results`);
  return partials;
}

const NONE: readonly PartialNode[] = [];

class PartialReader implements PartialSource {
  readonly from: ByteSource;
  private readonly meter = new StepMeter();
  /** Level of the list that is being read. */
  private depth = 0;

  constructor(from: ByteSource) {
    this.from = from;
  }

  *list(): Steps<readonly PartialNode[]> {
    const { from, meter } = this;
    if (this.depth > DEPTH_MAX) throw new DamagedBytes(`partial results nest deeper than ${DEPTH_MAX}`);
    this.depth++;
    const count = readCount(from);
    const partials: PartialNode[] = [];
    for (let i = 0; i < count; i++) {
      const kind = readChoice(from, PARTIAL_KINDS);
      if (kind.family === 'bucketed') partials.push(yield* kind.read(this));
      else {
        partials.push(kind.read(from));
        if (meter.isDue(kind.units)) yield;
      }
    }
    this.depth--;
    return partials;
  }

  *buckets<Head, B>(
    readHead: () => Head,
    made: (head: Head, docCount: number, children: readonly PartialNode[]) => B,
  ): Steps<B[]> {
    const { from, meter } = this;
    const count = readCount(from);
    const buckets: B[] = [];
    for (let i = 0; i < count; i++) {
      const head = readHead();
      const docCount = from.f64();
      // Most buckets have no children: no generator is made for those.
      const hasChildren = from.bytes[from.at] !== 0;
      if (!hasChildren) from.u8();
      buckets.push(made(head, docCount, hasChildren ? yield* this.list() : NONE));
      if (meter.isDue(BUCKET_UNITS)) yield;
    }
    return buckets;
  }
}
