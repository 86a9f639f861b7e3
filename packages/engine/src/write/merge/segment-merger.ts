/**
 * Several segments to one, deleted documents left out: postings, columns and stored documents are copied, never analysed
 * again.
 *
 * A generator that yields every few thousand copied things, so that the owner can serve others in between. The inputs are
 * immutable; deletes that come meanwhile are the owner's business (`docMaps` says where a document went).
 */
import { assert, ByteSink } from '@shoal/core';
import type { SpillFile } from '../../bytes/spill-file.ts';
import type { ContainerBytes } from '../../format/container/container-bytes.ts';
import { ContainerWriter } from '../../format/container/container-writer.ts';
import { PartListWriter } from '../../format/parts/part-list-writer.ts';
import type { SegmentMemory } from '../../memory/segment-memory.ts';
import type { DocSortKey } from '../sort/sort-column.ts';
import { sortDocs } from '../sort/sort-docs.ts';
import type { DocMap, MergedDocs, MergeInput } from '../stored/doc-map.ts';
import type { StoredBuffer } from '../stored/stored-buffer.ts';
import { mergeFieldParts } from './part-merges.ts';

/** Copied documents or postings between two yields: about a millisecond of work. */
const WORK_PER_STEP = 4_096;
const WORK_OF_DOCUMENT = 8;
/** Where a merged segment goes. */
export interface MergeTarget {
  /** Also of the inputs, as far as kernels are to read them. */
  readonly memory: SegmentMemory;
  readonly stored: StoredBuffer;
  readonly container: ContainerBytes;
  /** Takes what is written side by side, a field at a time. */
  readonly spill: SpillFile;
}

/**
 * Says where the documents of each input went; null when none is left. Each `next()` is one step of work, between two of which
 * the caller may move what `stored`, `container` and `spill` hold to their files.
 */
export function* mergeSegments(
  name: string,
  inputs: readonly MergeInput[],
  target: MergeTarget,
  sort: readonly DocSortKey[] = [],
): Generator<void, readonly DocMap[] | null> {
  const docs = yield* sortDocs(inputs, sort);
  assert(docs.docMaps.length === inputs.length, `${docs.docMaps.length} maps of ${inputs.length} inputs`);
  if (docs.docCount === 0) return null;
  const merge = new Merge(inputs, docs, target);
  merge.directory.text(name);
  merge.directory.u32(docs.docCount);
  yield* merge.copyStored(target.stored);
  const { fieldNames } = merge;
  merge.directory.u32(fieldNames.length);
  for (const field of fieldNames) {
    merge.directory.text(field);
    yield* merge.copyField(field);
  }
  merge.container.finish(merge.directory.written());
  return docs.docMaps;
}

class Merge {
  readonly container: ContainerWriter;
  readonly directory = new ByteSink(1 << 12);
  private readonly inputs: readonly MergeInput[];
  private readonly docs: MergedDocs;
  private readonly target: MergeTarget;
  private work = 0;

  constructor(inputs: readonly MergeInput[], docs: MergedDocs, target: MergeTarget) {
    this.inputs = inputs;
    this.docs = docs;
    this.target = target;
    this.container = new ContainerWriter(target.container, target.memory.paging.pageBytes);
  }

  get fieldNames(): readonly string[] {
    return [...new Set(this.inputs.flatMap(({ segment }) => segment.fieldNames))];
  }

  /** True when it is time to let others work. */
  private isPause(done: number): boolean {
    this.work += done;
    if (this.work < WORK_PER_STEP) return false;
    this.work = 0;
    return true;
  }

  *copyStored(stored: StoredBuffer): Generator<void, void> {
    const { docMaps, sources } = this.docs;
    const inputs = this.inputs.map(({ segment }) => segment.stored);
    // Blocks may be decompressed and compressed: dearer than a posting.
    if (sources !== null) {
      const steps = stored.addReordered(inputs, sources);
      for (const docs of steps) if (this.isPause(docs * WORK_OF_DOCUMENT)) yield;
    } else {
      for (const [i, input] of inputs.entries()) {
        const steps = stored.addSegment(input, docMaps[i] as DocMap);
        for (const docs of steps) if (this.isPause(docs * WORK_OF_DOCUMENT)) yield;
      }
    }
    stored.finish(this.container, this.directory);
  }

  *copyField(field: string): Generator<void, void> {
    const { inputs } = this;
    const { docMaps, docCount, sources } = this.docs;
    const parts = new PartListWriter(this.container);
    yield* mergeFieldParts({ field, inputs, docMaps, docCount, sources }, this.target, parts);
    parts.finish(this.directory);
    // A merge reads each field of an input once.
    for (const { segment } of inputs) segment.dropSections();
    yield;
  }
}
