/**
 * Part `norms`: the length of each document's field in one byte.
 */
import { DamagedBytes } from '@shoal/core';
import type { SectionGroup } from '../container/segment-sections.ts';
import type { PartCodec } from './part-codec.ts';

const NO_BYTES = new Uint8Array(0);

export const NORMS_PART: PartCodec<Uint8Array, SectionGroup<Uint8Array>> = {
  version: 1,
  *write(norms, into) {
    into.section(norms);
    yield;
  },
  read: (from, { sections }) => sections.group([from.section()], ([norms = NO_BYTES]) => norms),
  verify({ lengthBytes }, docCount) {
    if (lengthBytes !== docCount) throw new DamagedBytes(`${lengthBytes} norms for ${docCount} documents`);
  },
};
