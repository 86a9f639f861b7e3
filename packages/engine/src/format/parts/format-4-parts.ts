/**
 * Parts of a field as format version 4 had them: four bits say which there are, and each follows in the order of its bit.
 */
import { DamagedBytes } from '@shoal/core';
import type { ContainerReader } from '../container/container-reader.ts';
import { InterleavedPart } from '../container/part-source.ts';
import type { PartKind } from './part-registry.ts';

/** Kind of each bit, lowest first. */
const KINDS: readonly PartKind[] = ['terms', 'ordinals', 'numbers', 'norms'];

/** Gives each part of the field that `from` stands before to `read`, which takes all of it. */
export function readPartsByBits(from: ContainerReader, read: (kind: PartKind, part: InterleavedPart) => void): void {
  const bits = from.directory.u8();
  if (bits >>> KINDS.length !== 0) throw new DamagedBytes(`unknown parts ${bits} of a field`);
  KINDS.forEach((kind, bit) => {
    if ((bits & (1 << bit)) !== 0) read(kind, new InterleavedPart(from));
  });
}
