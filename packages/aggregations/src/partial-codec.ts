/**
 * Partial results as bytes and back: they travel inside an answer, and are read as anything from outside is, checked.
 */
import { assert, ByteSink, ByteSource, DamagedBytes } from '@shoal/core';
import type {
  Bucket,
  BucketKey,
  CompositePartial,
  PartialResult,
  RangeEnds,
  TermsBucket,
  TermsKeyKind,
  ValueFormat,
} from './partial-result.ts';
import { HDR_DIGITS_MAX, HdrSketch } from './sketches/hdr-sketch.ts';
import { HyperLogLog, PRECISION_MAX, PRECISION_MIN } from './sketches/hyper-log-log.ts';
import { TDigest } from './sketches/t-digest.ts';

const KINDS = [
  'stats',
  'cardinality',
  'percentiles',
  'terms',
  'histogram',
  'range',
  'filters',
  'composite',
  'weightedAverage',
] as const satisfies readonly PartialResult['kind'][];
const FORMATS = ['plain', 'boolean', 'ip', 'date', 'decimal'] as const satisfies readonly ValueFormat['kind'][];
const KEY_KINDS = ['text', 'long', 'double'] as const satisfies readonly TermsKeyKind[];
const DEPTH_MAX = 100;
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Kinds of keys on the wire. */
const KEY_NONE = 0;
const KEY_TEXT = 1;
const KEY_NUMBER = 2;
const KEY_BIGINT = 3;

/** One partial result for each aggregation of a request, in their order. */
export function writePartials(partials: readonly PartialResult[]): Uint8Array {
  const sink = new ByteSink(256);
  writeList(sink, partials);
  return sink.copy();
}

/** @throws DamagedBytes */
export function readPartials(bytes: Uint8Array): readonly PartialResult[] {
  const from = new ByteSource(bytes);
  const partials = readList(from, 0);
  if (from.at !== bytes.length) throw new DamagedBytes(`${bytes.length - from.at} bytes behind the partial results`);
  return partials;
}

function writeList(sink: ByteSink, partials: readonly PartialResult[]): void {
  sink.varint(partials.length);
  for (const partial of partials) writePartial(sink, partial);
}

function readList(from: ByteSource, depth: number): readonly PartialResult[] {
  if (depth > DEPTH_MAX) throw new DamagedBytes(`partial results nest deeper than ${DEPTH_MAX}`);
  return readItems(from, () => readPartial(from, depth));
}

/** Every item takes at least one byte, so that a length that cannot be true is found before anything is made. */
function readItems<T>(from: ByteSource, read: () => T): T[] {
  const count = from.varint();
  if (count > from.bytes.length - from.at) throw new DamagedBytes(`${count} items in ${from.bytes.length} bytes`);
  const items: T[] = [];
  for (let i = 0; i < count; i++) items.push(read());
  return items;
}

function writePartial(sink: ByteSink, partial: PartialResult): void {
  sink.u8(KINDS.indexOf(partial.kind));
  switch (partial.kind) {
    case 'stats':
      writeFormat(sink, partial.format);
      for (const value of [partial.count, partial.sum, partial.min, partial.max, partial.sumOfSquares]) sink.f64(value);
      break;
    case 'cardinality':
      writeHyperLogLog(sink, partial.sketch);
      break;
    case 'percentiles':
      writeFormat(sink, partial.format);
      if (partial.sketch instanceof TDigest) writeTDigest(sink, partial.sketch);
      else writeHdr(sink, partial.sketch);
      break;
    case 'terms':
      sink.u8(KEY_KINDS.indexOf(partial.keyKind));
      writeFormat(sink, partial.format);
      sink.f64(partial.otherDocCount);
      sink.f64(partial.error);
      sink.f64(partial.shardCount);
      writeBuckets(sink, partial.buckets, (bucket) => {
        writeKey(sink, bucket.key);
        sink.f64(bucket.error);
      });
      break;
    case 'histogram':
      writeFormat(sink, partial.format);
      writeBuckets(sink, partial.buckets, ({ key }) => sink.f64(key));
      break;
    case 'range':
      writeFormat(sink, partial.format);
      writeBuckets(sink, partial.buckets, ({ key }) => {
        sink.f64(key.from);
        sink.f64(key.to);
      });
      break;
    case 'filters':
      writeBuckets(sink, partial.buckets, () => undefined);
      break;
    case 'composite':
      writeComposite(sink, partial);
      break;
    case 'weightedAverage':
      sink.f64(partial.sum);
      sink.f64(partial.weight);
      break;
  }
}

function writeComposite(sink: ByteSink, partial: CompositePartial): void {
  sink.varint(partial.formats.length);
  for (const format of partial.formats) writeFormat(sink, format);
  sink.varint(partial.keyKinds.length);
  for (const kind of partial.keyKinds) sink.u8(KEY_KINDS.indexOf(kind));
  writeBuckets(sink, partial.buckets, ({ key }) => {
    assert(key.length === partial.formats.length, 'a composite key that does not fit its sources');
    for (const value of key) writeKey(sink, value);
  });
}

function readPartial(from: ByteSource, depth: number): PartialResult {
  const kind = readChoice(from, KINDS);
  switch (kind) {
    case 'stats': {
      const format = readFormat(from);
      const [count, sum, min, max, sumOfSquares] = [from.f64(), from.f64(), from.f64(), from.f64(), from.f64()];
      return { kind, format, count, sum, min, max, sumOfSquares };
    }
    case 'cardinality':
      return { kind, sketch: readHyperLogLog(from) };
    case 'percentiles':
      return { kind, format: readFormat(from), sketch: from.u8() === 0 ? readTDigest(from) : readHdr(from) };
    case 'terms': {
      const keyKind = readChoice(from, KEY_KINDS);
      const format = readFormat(from);
      const [otherDocCount, error, shardCount] = [from.f64(), from.f64(), from.f64()];
      const buckets = readItems(from, (): TermsBucket => {
        const bucket = { key: presentKey(readKey(from)), error: from.f64() };
        return { ...bucket, ...readBucketRest(from, depth) };
      });
      return { kind, keyKind, format, otherDocCount, error, shardCount, buckets };
    }
    case 'histogram':
      return { kind, format: readFormat(from), buckets: readBuckets(from, depth, () => from.f64()) };
    case 'range': {
      const ends = (): RangeEnds => ({ from: from.f64(), to: from.f64() });
      return { kind, format: readFormat(from), buckets: readBuckets(from, depth, ends) };
    }
    case 'filters':
      return { kind, buckets: readBuckets(from, depth, () => null) };
    case 'weightedAverage':
      return { kind, sum: from.f64(), weight: from.f64() };
    case 'composite': {
      const formats = readItems(from, () => readFormat(from));
      const keyKinds = readItems(from, () => readChoice(from, KEY_KINDS));
      const key = (): readonly (BucketKey | null)[] => formats.map(() => readKey(from));
      return { kind, formats, keyKinds, buckets: readBuckets(from, depth, key) };
    }
  }
}

function writeBuckets<B extends Bucket<unknown>>(
  sink: ByteSink,
  buckets: readonly B[],
  writeHead: (bucket: B) => void,
): void {
  sink.varint(buckets.length);
  for (const bucket of buckets) {
    writeHead(bucket);
    sink.f64(bucket.docCount);
    writeList(sink, bucket.children);
  }
}

function readBuckets<Key>(from: ByteSource, depth: number, readKeyOf: () => Key): readonly Bucket<Key>[] {
  return readItems(from, () => ({ key: readKeyOf(), ...readBucketRest(from, depth) }));
}

function readBucketRest(from: ByteSource, depth: number): Pick<Bucket<null>, 'docCount' | 'children'> {
  return { docCount: from.f64(), children: readList(from, depth + 1) };
}

function readChoice<T>(from: ByteSource, choices: readonly T[]): T {
  const index = from.u8();
  const chosen = choices[index];
  if (chosen === undefined) throw new DamagedBytes(`${index} names none of ${choices.length} kinds`);
  return chosen;
}

function writeFormat(sink: ByteSink, format: ValueFormat): void {
  sink.u8(FORMATS.indexOf(format.kind));
  if (format.kind === 'date') {
    sink.text(format.format);
    sink.text(format.timeZone);
  } else if (format.kind === 'decimal') sink.text(format.pattern);
}

function readFormat(from: ByteSource): ValueFormat {
  const kind = readChoice(from, FORMATS);
  if (kind === 'date') return { kind, format: from.text(), timeZone: from.text() };
  return kind === 'decimal' ? { kind, pattern: from.text() } : { kind };
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

function writeHyperLogLog(sink: ByteSink, sketch: HyperLogLog): void {
  const { hashes, registers } = sketch.state();
  sink.u8(sketch.precision);
  sink.u8(hashes === null ? 1 : 0);
  if (hashes === null) {
    sink.blob(registers);
    return;
  }
  sink.varint(hashes.length);
  for (const half of hashes) sink.u32(half);
}

function readHyperLogLog(from: ByteSource): HyperLogLog {
  const precision = from.u8();
  if (precision < PRECISION_MIN || precision > PRECISION_MAX) throw new DamagedBytes(`precision ${precision}`);
  if (from.u8() === 1) {
    const registers = from.blob();
    if (registers.length !== 2 ** precision) throw new DamagedBytes(`${registers.length} registers`);
    return HyperLogLog.ofRegisters(precision, registers);
  }
  const sketch = new HyperLogLog(precision);
  const halves = readItems(from, () => from.u32());
  for (let i = 0; i + 1 < halves.length; i += 2) sketch.add(halves[i] ?? 0, halves[i + 1] ?? 0);
  return sketch;
}

function writeTDigest(sink: ByteSink, sketch: TDigest): void {
  const { means, weights } = sketch.clusters();
  sink.u8(0);
  sink.f64(sketch.compression);
  sink.f64(sketch.min);
  sink.f64(sketch.max);
  sink.varint(means.length);
  for (let i = 0; i < means.length; i++) {
    sink.f64(means[i] as number);
    sink.f64(weights[i] as number);
  }
}

/** Compression of digests that others made. */
const COMPRESSION_MAX = 1e6;

function readTDigest(from: ByteSource): TDigest {
  const compression = from.f64();
  if (!(compression >= 0 && compression <= COMPRESSION_MAX)) throw new DamagedBytes(`compression ${compression}`);
  const [min, max] = [from.f64(), from.f64()];
  const pairs = readItems(from, () => [from.f64(), readCount(from)] as const);
  for (const [i, [mean]] of pairs.entries()) {
    const before = pairs[i - 1]?.[0] ?? Number.NEGATIVE_INFINITY;
    if (!(mean >= before)) throw new DamagedBytes(`a cluster at ${mean} behind ${before}`);
  }
  const means = Float64Array.from(pairs, ([mean]) => mean);
  const weights = Float64Array.from(pairs, ([, weight]) => weight);
  return TDigest.of(compression, { means, weights }, min, max);
}

/** Of something that is there: a positive number. */
function readCount(from: ByteSource): number {
  const count = from.f64();
  if (!(count > 0 && count <= Number.MAX_SAFE_INTEGER)) throw new DamagedBytes(`a count of ${count}`);
  return count;
}

function writeHdr(sink: ByteSink, sketch: HdrSketch): void {
  sink.u8(1);
  sink.u8(sketch.digits);
  sink.f64(sketch.zeroCount);
  const entries = sketch.entries();
  sink.varint(entries.length);
  for (const [bucket, count] of entries) {
    sink.f64(sketch.lowest(bucket));
    sink.f64(count);
  }
}

function readHdr(from: ByteSource): HdrSketch {
  const digits = from.u8();
  if (digits > HDR_DIGITS_MAX) throw new DamagedBytes(`${digits} significant digits`);
  const sketch = new HdrSketch(digits);
  const zeros = from.f64();
  if (!(zeros >= 0 && zeros <= Number.MAX_SAFE_INTEGER)) throw new DamagedBytes(`${zeros} zeros`);
  if (zeros > 0) sketch.add(0, zeros);
  readItems(from, () => {
    const value = from.f64();
    if (!(value > 0 && value < Number.POSITIVE_INFINITY)) throw new DamagedBytes(`a bucket at ${value}`);
    sketch.add(value, readCount(from));
  });
  return sketch;
}
