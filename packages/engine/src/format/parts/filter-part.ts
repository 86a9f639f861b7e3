/**
 * Part `filter`: says which terms the field does not have, without its dictionary.
 */
import { DamagedBytes } from '@shoal/core';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import { u32View } from '../container/container-reader.ts';
import { FILTER_BLOCK_BYTES, TermFilter, type TermFilterContent } from '../terms/term-filter.ts';
import type { PartCodec } from './part-codec.ts';

export const FILTER_PART: PartCodec<TermFilterContent, TermFilter> = {
  version: 1,
  *write({ words, least, greatest }, into) {
    into.header.blob(least);
    into.header.blob(greatest);
    yield* into.sectionInSteps([new Uint8Array(words.buffer, words.byteOffset, words.byteLength)]);
  },
  read(from, { sections }) {
    const least = from.header.blob();
    const greatest = from.header.blob();
    if (compareBytes(least, 0, least.length, greatest) > 0)
      throw new DamagedBytes('the least term of a filter follows its greatest');
    const group = sections.group([from.section()], ([bits]) => u32View(bits as Uint8Array));
    return new TermFilter(group, least, greatest);
  },
  verify({ group: { lengthBytes } }) {
    if (lengthBytes === 0 || lengthBytes % FILTER_BLOCK_BYTES !== 0)
      throw new DamagedBytes(`a filter of ${lengthBytes} bytes, which are no whole blocks`);
  },
};
