/**
 * Part `shapes`: the shapes of each document, as whole numbers whose meaning is the field's.
 */
import { DamagedBytes } from '@shoal/core';
import { i32View, u32View } from '../container/container-reader.ts';
import type { SectionRef } from '../container/section-ref.ts';
import type { SectionGroup } from '../container/segment-sections.ts';
import { ShapeColumn, type ShapeColumnValues } from '../reader/shape-column.ts';
import type { PartCodec } from './part-codec.ts';

const WORD_BYTES = 4;

export interface ShapesView {
  readonly group: SectionGroup<ShapeColumn>;
  readonly starts: SectionRef;
  readonly words: SectionRef;
}

export const SHAPES_PART: PartCodec<ShapeColumnValues, ShapesView> = {
  version: 1,
  *write({ starts, words }, into) {
    into.section(starts);
    yield;
    into.section(words);
    yield;
  },
  read: (from, { sections }) => {
    const starts = from.section();
    const words = from.section();
    const group = sections.group(
      [starts, words],
      ([first, second]) =>
        new ShapeColumn({ starts: u32View(first as Uint8Array), words: i32View(second as Uint8Array) }),
    );
    return { group, starts, words };
  },
  verify({ starts, words }, docCount) {
    if (starts.length !== (docCount + 1) * WORD_BYTES)
      throw new DamagedBytes(`starts of ${docCount} documents in a section of ${starts.length} bytes`);
    if (words.length % WORD_BYTES !== 0) throw new DamagedBytes(`words of shapes in ${words.length} bytes`);
  },
};
