/**
 * Seals a segment in the order of an index sort: a merge of the segment alone.
 */
import { assert } from '@shoal/core';
import { SpillFile } from '../../bytes/spill-file.ts';
import { ContainerBytes } from '../../format/container/container-bytes.ts';
import { FlatSegment } from '../../format/flat-segment.ts';
import type { StoredCodec } from '../../format/stored/stored-block.ts';
import type { SegmentMemory } from '../../memory/segment-memory.ts';
import type { SegmentBuffer } from '../buffer/segment-buffer.ts';
import type { DocSortKey } from '../sort/sort-column.ts';
import { type DocMap, mapDocs } from '../stored/doc-map.ts';
import { StoredBuffer } from '../stored/stored-buffer.ts';
import { mergeSegments } from './segment-merger.ts';

export interface SortedSegment {
  readonly segment: FlatSegment;
  /** Where the documents of the buffer went. */
  readonly docMap: DocMap;
}

/** Seals the segment being written, with all of its documents. Yields every millisecond or so. */
export function* sealSorted(
  buffer: SegmentBuffer,
  name: string,
  { memory, sort }: { readonly memory: SegmentMemory; readonly sort: readonly DocSortKey[] },
  codec: StoredCodec,
): Generator<void, SortedSegment> {
  const segment = yield* buffer.sealInSteps(name, memory);
  const input = { segment, live: null };
  const [asItWas] = mapDocs([input]).docMaps as readonly [DocMap];
  if (sort.length === 0) return { segment, docMap: asItWas };
  const stored = new StoredBuffer(codec, memory.indexing, memory.pieces);
  const container = new ContainerBytes(segment.container.length, memory.pieces);
  const spill = new SpillFile(memory.pieces);
  const docMaps = yield* mergeSegments(name, [input], { memory, stored, container, spill }, sort);
  assert(docMaps !== null, `segment ${name} without documents is sorted`);
  const bytes = yield* container.takeInSteps();
  const sorted = FlatSegment.open(bytes, name, memory, { stored: stored.bytes, isTrusted: true });
  segment.release();
  return { segment: sorted, docMap: docMaps[0] ?? asItWas };
}
