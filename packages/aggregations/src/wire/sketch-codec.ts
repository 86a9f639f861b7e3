/**
 * Sketches as bytes and back. What is read is checked, since it comes from outside: a sketch that could not have been written
 * is damage.
 */
import { type ByteSink, type ByteSource, DamagedBytes } from '@shoal/core';
import { HDR_DIGITS_MAX, HdrSketch } from '../sketches/hdr-sketch.ts';
import { HyperLogLog, PRECISION_MAX, PRECISION_MIN } from '../sketches/hyper-log-log.ts';
import { TDigest } from '../sketches/t-digest.ts';
import { readItems } from './read-items.ts';

export function writeHyperLogLog(sink: ByteSink, sketch: HyperLogLog): void {
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

export function readHyperLogLog(from: ByteSource): HyperLogLog {
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

/** Of percentiles: one of two sorts. */
export function writeQuantiles(sink: ByteSink, sketch: TDigest | HdrSketch): void {
  if (sketch instanceof TDigest) writeTDigest(sink, sketch);
  else writeHdr(sink, sketch);
}

export function readQuantiles(from: ByteSource): TDigest | HdrSketch {
  return from.u8() === 0 ? readTDigest(from) : readHdr(from);
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
  const pairs = readItems(from, () => [from.f64(), readWeight(from)] as const);
  for (const [i, [mean]] of pairs.entries()) {
    const before = pairs[i - 1]?.[0] ?? Number.NEGATIVE_INFINITY;
    if (!(mean >= before)) throw new DamagedBytes(`a cluster at ${mean} behind ${before}`);
  }
  const means = Float64Array.from(pairs, ([mean]) => mean);
  const weights = Float64Array.from(pairs, ([, weight]) => weight);
  return TDigest.of(compression, { means, weights }, min, max);
}

/** Of something that is there: a positive number. */
function readWeight(from: ByteSource): number {
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
    sketch.add(value, readWeight(from));
  });
  return sketch;
}
