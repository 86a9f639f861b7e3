/**
 * Merges segments in memory, where a shard has files.
 */

import { ContainerBytes } from '../../format/container/container-bytes.ts';
import { FlatSegment } from '../../format/flat-segment.ts';
import { PLAIN_MEMORY, type SegmentMemory } from '../../memory/segment-memory.ts';
import type { DocSortKey } from '../sort/sort-column.ts';
import type { DocMap, MergeInput } from '../stored/doc-map.ts';
import { StoredBuffer } from '../stored/stored-buffer.ts';
import { mergeSegments } from './segment-merger.ts';

export interface MergeOutput {
  readonly segment: FlatSegment;
  readonly docMaps: readonly DocMap[];
}

/** null when no document is left. */
export function mergeInMemory(
  name: string,
  inputs: readonly MergeInput[],
  memory: SegmentMemory = PLAIN_MEMORY,
  sort: readonly DocSortKey[] = [],
): MergeOutput | null {
  const stored = new StoredBuffer('lz4', memory.indexing);
  const container = new ContainerBytes(1 << 12);
  const steps = mergeSegments(name, inputs, { memory, stored, container }, sort);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  if (step.value === null) return null;
  const options = { stored: stored.bytes, isTrusted: true };
  return { segment: FlatSegment.open(container.written(), name, memory, options), docMaps: step.value };
}
