/**
 * Seals one field of a segment that was being written: its buffers become the parts of the finished segment.
 */
import { assert } from '@shoal/core';
import { type BoxEntries, buildBoxTree } from '@shoal/geo';
import { PieceReader } from '../../bytes/piece-reader.ts';
import { encodeFieldLength } from '../../bytes/small-float.ts';
import { narrowOrdinals } from '../../format/columns/ordinal-column.ts';
import type { PartListWriter } from '../../format/parts/part-list-writer.ts';
import type { TermFilterContent } from '../../format/terms/term-filter.ts';
import type { SegmentMemory } from '../../memory/segment-memory.ts';
import { pointEntries, shapeEntries } from '../seal/box-entries.ts';
import { filterOfInverted } from '../seal/seal-filter.ts';
import type { FieldBuffer, Lengths } from './field-buffer.ts';

export interface FieldSealing {
  /** Documents of the segment. */
  readonly docCount: number;
  readonly memory: SegmentMemory;
  /** The buffer answers for its terms until the segment is finished; else it gives its memory back at once. */
  readonly staysSearchable: boolean;
}

/** Writes the parts of the field. Yields every millisecond or so. */
export function* sealField(field: FieldBuffer, into: PartListWriter, sealing: FieldSealing): Generator<void, void> {
  const { docCount, memory, staysSearchable } = sealing;
  const { inverted, numbers, lengths } = field;
  const norms = lengths === null ? null : normsOf(lengths, docCount);
  let filter: TermFilterContent | null = null;
  if (inverted !== null) {
    const seal = yield* inverted.seal();
    assert(seal.docCount <= docCount, `terms of ${seal.docCount} documents in a segment of ${docCount}`);
    const postings = yield* seal.writePostings(norms, memory);
    yield* into.write('terms', { postings, docCount: seal.docCount });
    yield;
    if (field.hasOrdinals) {
      const { counts, ordinals } = seal.ordinals(docCount);
      yield;
      const { buffer, byteOffset, byteLength } = narrowOrdinals(ordinals, seal.termCount);
      const narrow = new PieceReader([new Uint8Array(buffer, byteOffset, byteLength)]);
      yield* into.write('ordinals', { counts, ordinals: narrow, valueCount: seal.termCount });
    }
    if (field.hasFilter) filter = yield* filterOfInverted(seal.field);
    if (!staysSearchable) inverted.release();
  }
  yield;
  const column = numbers?.isEmpty === false ? numbers.take(docCount) : null;
  if (column !== null) yield* into.write('numbers', column);
  if (norms !== null) yield* into.write('norms', norms);
  if (column !== null && field.hasPoints) yield* writeBoxes(pointEntries(column), into);
  if (field.shapes?.isEmpty === false) {
    const shapes = field.shapes.take(docCount);
    yield* into.write('shapes', shapes);
    yield* writeBoxes(shapeEntries(shapes), into);
  }
  if (filter !== null) yield* into.write('filter', filter);
}

function* writeBoxes(entries: BoxEntries, into: PartListWriter): Generator<void, void> {
  yield;
  yield* into.write('boxes', yield* buildBoxTree(entries));
}

function normsOf({ docs, lengths }: Lengths, docCount: number): Uint8Array {
  const norms = new Uint8Array(docCount);
  for (let i = 0; i < docs.length; i++) norms[docs.at(i)] = encodeFieldLength(lengths.at(i));
  return norms;
}
