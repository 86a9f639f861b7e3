/**
 * Partial result of `cardinality`: a HyperLogLog++ sketch, and its bytes.
 */
import { type ByteSink, type ByteSource, DamagedBytes } from '@shoal/core';
import { type LeafPartialKind, SKETCH_UNITS } from '../../contract/partial-kind.ts';
import { HyperLogLog, PRECISION_MAX, PRECISION_MIN } from '../../sketches/hyper-log-log.ts';
import type { PartialNode } from '../../tree/partial-node.ts';
import { readItems } from '../../wire/wire-list.ts';

export interface CardinalityPartial extends PartialNode {
  readonly kind: 'cardinality';
  readonly sketch: HyperLogLog;
}

export const CARDINALITY_PARTIAL: LeafPartialKind<CardinalityPartial> = {
  family: 'leaf',
  kind: 'cardinality',
  units: SKETCH_UNITS,
  write: (sink, { sketch }) => writeSketch(sink, sketch),
  read: (from) => ({ kind: 'cardinality', sketch: readSketch(from) }),
  emptied: (partial) => ({ ...partial, sketch: new HyperLogLog(partial.sketch.precision) }),
};

const AS_HASHES = 0;
const AS_REGISTERS = 1;

function writeSketch(sink: ByteSink, sketch: HyperLogLog): void {
  const { hashes, registers } = sketch.state();
  sink.u8(sketch.precision);
  sink.u8(hashes === null ? AS_REGISTERS : AS_HASHES);
  if (hashes === null) {
    sink.blob(registers);
    return;
  }
  sink.varint(hashes.length);
  for (const half of hashes) sink.u32(half);
}

function readSketch(from: ByteSource): HyperLogLog {
  const precision = from.u8();
  if (precision < PRECISION_MIN || precision > PRECISION_MAX) throw new DamagedBytes(`precision ${precision}`);
  const form = from.u8();
  if (form === AS_REGISTERS) {
    const registers = from.blob();
    if (registers.length !== 2 ** precision) throw new DamagedBytes(`${registers.length} registers`);
    return HyperLogLog.ofRegisters(precision, registers);
  }
  if (form !== AS_HASHES) throw new DamagedBytes(`a sketch of form ${form}`);
  const sketch = new HyperLogLog(precision);
  const halves = readItems(from, () => from.u32());
  if (halves.length % 2 !== 0) throw new DamagedBytes(`${halves.length} halves of hashes`);
  for (let i = 0; i + 1 < halves.length; i += 2) sketch.add(halves[i] ?? 0, halves[i + 1] ?? 0);
  return sketch;
}
