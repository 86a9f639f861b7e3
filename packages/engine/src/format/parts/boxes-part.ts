/**
 * Part `boxes`: boxes of the field's values in a tree, by which documents near a place are found.
 */
import { DamagedBytes } from '@shoal/core';
import { BOX_NUMBERS, BoxTree, type BuiltBoxTree, levelsOf } from '@shoal/geo';
import { i32View, u32View } from '../container/container-reader.ts';
import type { SectionRef } from '../container/section-ref.ts';
import type { SectionGroup } from '../container/segment-sections.ts';
import type { PartCodec } from './part-codec.ts';

const WORD_BYTES = 4;

export interface BoxesView {
  readonly group: SectionGroup<BoxTree>;
  readonly docs: SectionRef;
  readonly boxes: SectionRef;
}

export const BOXES_PART: PartCodec<BuiltBoxTree, BoxesView> = {
  version: 1,
  *write({ docs, boxes }, into) {
    into.section(docs);
    yield;
    into.section(boxes);
    yield;
  },
  read: (from, { sections }) => {
    const docs = from.section();
    const boxes = from.section();
    const group = sections.group(
      [docs, boxes],
      ([first, second]) => new BoxTree(u32View(first as Uint8Array), i32View(second as Uint8Array)),
    );
    return { group, docs, boxes };
  },
  verify({ docs, boxes }) {
    const { count } = levelsOf(docs.length / WORD_BYTES);
    if (boxes.length !== count * BOX_NUMBERS * WORD_BYTES)
      throw new DamagedBytes(`boxes of ${docs.length / WORD_BYTES} values in ${boxes.length} bytes`);
  },
};
