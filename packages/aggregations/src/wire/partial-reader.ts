/**
 * Partial results out of bytes: read as anything from outside is, checked.
 *
 * Buckets may be many, so that reading is work in steps.
 */
import { ByteSource, DamagedBytes, runSteps, StepMeter, type Steps } from '@shoal/core';
import {
  type Bucket,
  type BucketKey,
  type PartialResult,
  PLAIN_FORMAT,
  type RangeEnds,
  type ValueFormat,
} from '../partials/partial-result.ts';
import { readCount, readItems } from './read-items.ts';
import { readHyperLogLog, readQuantiles } from './sketch-codec.ts';
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

const DEPTH_MAX = 100;
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

type Leaf = Extract<PartialResult, { readonly kind: LeafKind }>;
type Bucketed = Exclude<PartialResult, Leaf>;

interface TermsHead {
  readonly key: BucketKey;
  readonly error: number;
}

/** @throws DamagedBytes */
export function readPartials(bytes: Uint8Array): readonly PartialResult[] {
  return runSteps(readPartialsInSteps(bytes));
}

/** @throws DamagedBytes */
export function* readPartialsInSteps(bytes: Uint8Array): Steps<readonly PartialResult[]> {
  const from = new ByteSource(bytes);
  const partials = yield* new PartialReader(from).list(0);
  if (from.at !== bytes.length) throw new DamagedBytes(`${bytes.length - from.at} bytes behind the partial results`);
  return partials;
}

const NONE: readonly PartialResult[] = [];

class PartialReader {
  private readonly from: ByteSource;
  private readonly meter = new StepMeter();

  constructor(from: ByteSource) {
    this.from = from;
  }

  *list(depth: number): Steps<readonly PartialResult[]> {
    if (depth > DEPTH_MAX) throw new DamagedBytes(`partial results nest deeper than ${DEPTH_MAX}`);
    const { from, meter } = this;
    const count = readCount(from);
    const partials: PartialResult[] = [];
    for (let i = 0; i < count; i++) {
      const kind = readChoice(from, KINDS);
      if (!isLeafKind(kind)) partials.push(yield* this.bucketed(kind, depth));
      else {
        partials.push(readLeaf(from, kind));
        if (meter.isDue(kind === 'stats' ? 0.2 : SKETCH_UNITS)) yield;
      }
    }
    return partials;
  }

  private *bucketed(kind: Bucketed['kind'], depth: number): Steps<Bucketed> {
    const { from } = this;
    switch (kind) {
      case 'terms': {
        const keyKind = readChoice(from, KEY_KINDS);
        const format = readFormat(from);
        const [otherDocCount, error, shardCount] = [from.f64(), from.f64(), from.f64()];
        const head = (): TermsHead => ({ key: presentKey(readKey(from)), error: from.f64() });
        const made = ({ key, error: own }: TermsHead, docCount: number, children: readonly PartialResult[]) => {
          return { key, docCount, error: own, children };
        };
        const buckets = yield* this.buckets(depth, head, made);
        return { kind, keyKind, format, otherDocCount, error, shardCount, buckets };
      }
      case 'histogram':
        return { kind, format: readFormat(from), buckets: yield* this.keyed(depth, () => from.f64()) };
      case 'range': {
        const ends = (): RangeEnds => ({ from: from.f64(), to: from.f64() });
        return { kind, format: readFormat(from), buckets: yield* this.keyed(depth, ends) };
      }
      case 'filters':
        return { kind, buckets: yield* this.keyed(depth, () => null) };
      case 'composite': {
        const formats = readItems(from, () => readFormat(from));
        const keyKinds = readItems(from, () => readChoice(from, KEY_KINDS));
        const key = (): readonly (BucketKey | null)[] => formats.map(() => readKey(from));
        return { kind, formats, keyKinds, buckets: yield* this.keyed(depth, key) };
      }
    }
  }

  private keyed<Key>(depth: number, readKeyOf: () => Key): Steps<Bucket<Key>[]> {
    return this.buckets(depth, readKeyOf, (key, docCount, children) => ({ key, docCount, children }));
  }

  private *buckets<Head, B>(
    depth: number,
    readHead: () => Head,
    made: (head: Head, docCount: number, children: readonly PartialResult[]) => B,
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
      buckets.push(made(head, docCount, hasChildren ? yield* this.list(depth + 1) : NONE));
      if (meter.isDue(0.3)) yield;
    }
    return buckets;
  }
}

function readLeaf(from: ByteSource, kind: LeafKind): Leaf {
  switch (kind) {
    case 'stats': {
      const format = readFormat(from);
      const [count, sum, min, max, sumOfSquares] = [from.f64(), from.f64(), from.f64(), from.f64(), from.f64()];
      return { kind, format, count, sum, min, max, sumOfSquares };
    }
    case 'cardinality':
      return { kind, sketch: readHyperLogLog(from) };
    case 'percentiles':
      return { kind, format: readFormat(from), sketch: readQuantiles(from) };
    case 'weightedAverage':
      return { kind, sum: from.f64(), weight: from.f64() };
  }
}

function readChoice<T>(from: ByteSource, choices: readonly T[]): T {
  const index = from.u8();
  const chosen = choices[index];
  if (chosen === undefined) throw new DamagedBytes(`${index} names none of ${choices.length} kinds`);
  return chosen;
}

function readFormat(from: ByteSource): ValueFormat {
  const kind = readChoice(from, FORMATS);
  if (kind === 'date') return { kind, format: from.text(), timeZone: from.text() };
  if (kind === 'decimal') return { kind, pattern: from.text() };
  return kind === 'plain' ? PLAIN_FORMAT : { kind };
}

function readKey(from: ByteSource): BucketKey | null {
  const kind = from.u8();
  if (kind === KEY_NONE) return null;
  if (kind === KEY_TEXT) return from.text();
  if (kind === KEY_NUMBER) return from.f64();
  const text = from.text();
  if (kind !== KEY_BIGINT || !/^-?\d{1,20}$/.test(text)) throw new DamagedBytes(`a key of kind ${kind}`);
  const value = BigInt(text);
  return value <= SAFE && value >= -SAFE ? Number(value) : value;
}

function presentKey(key: BucketKey | null): BucketKey {
  if (key === null) throw new DamagedBytes('a bucket without a key');
  return key;
}
