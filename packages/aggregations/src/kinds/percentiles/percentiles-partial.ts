/**
 * Partial result of percentiles: a t-digest or an HDR histogram, and its bytes. What is read is checked: a sketch that could not
 * have been written is damage.
 */
import { type ByteSink, type ByteSource, DamagedBytes } from '@shoal/core';
import { type LeafPartialKind, SKETCH_UNITS } from '../../contract/partial-kind.ts';
import { HDR_DIGITS_MAX, HdrSketch } from '../../sketches/hdr-sketch.ts';
import { TDigest } from '../../sketches/t-digest.ts';
import type { PartialNode } from '../../tree/partial-node.ts';
import type { ValueFormat } from '../../values/value-format.ts';
import { readFormat, writeFormat } from '../../wire/value-codec.ts';
import { readItems } from '../../wire/wire-list.ts';

export interface PercentilesPartial extends PartialNode {
  readonly kind: 'percentiles';
  readonly format: ValueFormat;
  readonly sketch: TDigest | HdrSketch;
}

export const PERCENTILES_PARTIAL: LeafPartialKind<PercentilesPartial> = {
  family: 'leaf',
  kind: 'percentiles',
  units: SKETCH_UNITS,
  write: (sink, { format, sketch }) => {
    writeFormat(sink, format);
    if (sketch instanceof TDigest) writeTDigest(sink, sketch);
    else writeHdr(sink, sketch);
  },
  read: (from) => ({ kind: 'percentiles', format: readFormat(from), sketch: readSketch(from) }),
  emptied: (partial) => {
    const { sketch } = partial;
    const empty = sketch instanceof TDigest ? new TDigest(sketch.compression) : new HdrSketch(sketch.digits);
    return { ...partial, sketch: empty };
  },
};

const T_DIGEST = 0;
const HDR = 1;

function readSketch(from: ByteSource): TDigest | HdrSketch {
  const form = from.u8();
  if (form === T_DIGEST) return readTDigest(from);
  if (form !== HDR) throw new DamagedBytes(`a sketch of form ${form}`);
  return readHdr(from);
}

function writeTDigest(sink: ByteSink, sketch: TDigest): void {
  const { means, weights } = sketch.clusters();
  sink.u8(T_DIGEST);
  sink.f64(sketch.compression);
  sink.f64(sketch.min);
  sink.f64(sketch.max);
  sink.varint(means.length);
  for (let i = 0; i < means.length; i++) {
    sink.f64(means[i] as number);
    sink.f64(weights[i] as number);
  }
}

/** Largest compression of a digest that another node made. */
const COMPRESSION_MAX = 1e6;

function readTDigest(from: ByteSource): TDigest {
  const compression = from.f64();
  if (!(compression >= 0 && compression <= COMPRESSION_MAX)) throw new DamagedBytes(`compression ${compression}`);
  const [min, max] = [from.f64(), from.f64()];
  const pairs = readItems(from, () => [from.f64(), readWeight(from)] as const);
  for (const [i, [mean]] of pairs.entries()) {
    const before = pairs[i - 1]?.[0] ?? Number.NEGATIVE_INFINITY;
    if (!(mean >= before)) throw new DamagedBytes(`a cluster at ${mean} behind ${before}`);
  }
  const means = Float64Array.from(pairs, ([mean]) => mean);
  const weights = Float64Array.from(pairs, ([, weight]) => weight);
  return TDigest.of(compression, { means, weights }, min, max);
}

/** Weight of something that is there: a positive number. */
function readWeight(from: ByteSource): number {
  const count = from.f64();
  if (!(count > 0 && count <= Number.MAX_SAFE_INTEGER)) throw new DamagedBytes(`a count of ${count}`);
  return count;
}

function writeHdr(sink: ByteSink, sketch: HdrSketch): void {
  sink.u8(HDR);
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
    sketch.add(value, readWeight(from));
  });
  return sketch;
}
