/**
 * Partial result of `matrix_stats`: the joint moments of the fields.
 */
import { type ByteSource, DamagedBytes } from '@shoal/core';
import type { LeafPartialKind } from '../../contract/partial-kind.ts';
import { JointMoments, type MomentSums } from '../../sketches/joint-moments.ts';
import type { PartialNode } from '../../tree/partial-node.ts';
import { readItems } from '../../wire/wire-list.ts';

export interface MatrixStatsPartial extends PartialNode {
  readonly kind: 'matrixStats';
  /** Fields that the index knows of, in the order of the moments. */
  readonly fields: readonly string[];
  readonly moments: MomentSums;
}

const BYTES_PER_NUMBER = 8;

export const MATRIX_STATS_PARTIAL: LeafPartialKind<MatrixStatsPartial> = {
  family: 'leaf',
  kind: 'matrixStats',
  units: 5,
  write: (sink, { fields, moments }) => {
    sink.varint(fields.length);
    for (const field of fields) sink.text(field);
    sink.f64(moments.count);
    for (const list of listsOf(moments)) for (const value of list) sink.f64(value);
  },
  read: (from) => {
    const fields = readItems(from, () => from.text());
    return { kind: 'matrixStats', fields, moments: readMoments(from, fields.length) };
  },
  emptied: ({ fields }) => ({ kind: 'matrixStats', fields, moments: new JointMoments(fields.length) }),
};

function listsOf({ means, squares, cubes, fourths, products }: MomentSums): readonly Float64Array[] {
  return [means, squares, cubes, fourths, products];
}

function readMoments(from: ByteSource, width: number): MomentSums {
  const count = from.f64();
  const numbers = width * (4 + width);
  if (!(count >= 0) || numbers * BYTES_PER_NUMBER > from.bytes.length - from.at) {
    throw new DamagedBytes(`moments of ${count} measurements of ${width} fields`);
  }
  const moments = new JointMoments(width);
  for (const list of listsOf(moments)) for (let i = 0; i < list.length; i++) list[i] = from.f64();
  moments.count = count;
  return moments;
}
