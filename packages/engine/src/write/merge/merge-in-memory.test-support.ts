/**
 * Merges segments in memory, where a shard has files.
 */

import { createMemoryDisk } from '@shoal/runtime';
import type { PieceSource } from '../../bytes/piece-pool.ts';
import { SpillFile } from '../../bytes/spill-file.ts';
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

/** Few enough that streams are moved while others are read, and many enough that something waits in each. */
const STEPS_PER_WRITE = 3;
/** Memory that others write to as soon as it is given back. */
const POISONED_PIECES: PieceSource = {
  take: (bytes) => new Uint8Array(bytes),
  give: (piece) => void piece.fill(0xff),
};

/** null when no document is left. */
export function mergeInMemory(
  name: string,
  inputs: readonly MergeInput[],
  memory: SegmentMemory = PLAIN_MEMORY,
  sort: readonly DocSortKey[] = [],
): MergeOutput | null {
  const stored = new StoredBuffer('lz4', memory.indexing);
  const container = new ContainerBytes(1 << 12);
  const steps = mergeSegments(name, inputs, { memory, stored, container, spill: new SpillFile() }, sort);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return opened(name, step.value, memory, stored, container);
}

/** The same merge, of which all that waits is moved to a file every few steps; `afterStep` hears of each step. */
export async function mergeSpilled(
  name: string,
  inputs: readonly MergeInput[],
  memory: SegmentMemory,
  sort: readonly DocSortKey[] = [],
  afterStep: (spill: SpillFile) => void = () => {},
): Promise<MergeOutput | null> {
  const stored = new StoredBuffer('lz4', memory.indexing);
  const container = new ContainerBytes(1 << 12);
  const spill = new SpillFile(POISONED_PIECES, 64);
  spill.attach(await createMemoryDisk().open('spill', 'create'), () => {});
  const steps = mergeSegments(name, inputs, { memory, stored, container, spill }, sort);
  let taken = 0;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return opened(name, step.value, memory, stored, container);
    afterStep(spill);
    if (++taken % STEPS_PER_WRITE === 0) await spill.write();
  }
}

function opened(
  name: string,
  docMaps: readonly DocMap[] | null,
  memory: SegmentMemory,
  stored: StoredBuffer,
  container: ContainerBytes,
): MergeOutput | null {
  if (docMaps === null) return null;
  const options = { stored: stored.bytes, isTrusted: true };
  return { segment: FlatSegment.open(container.written(), name, memory, options), docMaps };
}
