/**
 * Several segments to one, deleted documents left out: postings, columns and stored documents are copied, never analysed
 * again.
 *
 * A generator that yields every few thousand copied things, so that the owner can serve others in between. The inputs are
 * immutable; deletes that come meanwhile are the owner's business (`docMaps` says where a document went).
 */
import { ByteSink } from '@shoal/core';
import { writeNumberColumn } from '../../format/columns/number-column.ts';
import { writeOrdinalColumn } from '../../format/columns/ordinal-column.ts';
import type { ContainerBytes } from '../../format/container/container-bytes.ts';
import { ContainerWriter } from '../../format/container/container-writer.ts';
import { writeSectionRef } from '../../format/container/section-ref.ts';
import { PART_NORMS, PART_NUMBERS, PART_ORDINALS, PART_TERMS } from '../../format/flat-segment.ts';
import type { SegmentMemory } from '../../memory/segment-memory.ts';
import { NoKernelRoom } from '../seal/postings-job.ts';
import { type DocMap, type MergedDocs, type MergeInput, mapDocs } from '../stored/doc-map.ts';
import type { StoredBuffer } from '../stored/stored-buffer.ts';
import { mergeTermsByKernels } from './kernel-term-merge.ts';
import { mergeNorms, mergeNumbers, mergeOrdinals } from './merge-columns.ts';
import type { FieldMerge, MergedTerms } from './merged-terms.ts';
import { mergeTerms } from './term-merge.ts';

/** Copied documents or postings between two yields: about a millisecond of work. */
const WORK_PER_STEP = 4_096;
const WORK_OF_DOCUMENT = 8;
/** Where a merged segment goes. */
export interface MergeTarget {
  /** Also of the inputs, as far as kernels are to read them. */
  readonly memory: SegmentMemory;
  readonly stored: StoredBuffer;
  readonly container: ContainerBytes;
}

/**
 * Says where the documents of each input went; null when none is left. Each `next()` is one step of work, between two of which
 * the caller may move what `stored` and `container` hold to their files.
 */
export function* mergeSegments(
  name: string,
  inputs: readonly MergeInput[],
  target: MergeTarget,
): Generator<void, readonly DocMap[] | null> {
  const docs = mapDocs(inputs);
  if (docs.docCount === 0) return null;
  const merge = new Merge(inputs, docs, target);
  merge.directory.text(name);
  merge.directory.u32(merge.docCount);
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
  private readonly docMaps: readonly DocMap[];
  readonly docCount: number;
  private readonly memory: SegmentMemory;
  private work = 0;

  constructor(inputs: readonly MergeInput[], { docMaps, docCount }: MergedDocs, { memory, container }: MergeTarget) {
    this.inputs = inputs;
    this.docMaps = docMaps;
    this.docCount = docCount;
    this.memory = memory;
    this.container = new ContainerWriter(container);
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
    for (const [i, { segment }] of this.inputs.entries()) {
      // Blocks may be decompressed and compressed: dearer than a posting.
      const steps = stored.addSegment(segment.stored, this.docMaps[i] as DocMap);
      for (const docs of steps) if (this.isPause(docs * WORK_OF_DOCUMENT)) yield;
    }
    stored.finish(this.container, this.directory);
  }

  *copyField(field: string): Generator<void, void> {
    const { inputs, docMaps, docCount } = this;
    const parts = inputs.map(({ segment }) => segment.parts(field));
    const hasTerms = parts.some((part) => part?.terms != null);
    const hasOrdinals = parts.some((part) => part?.ordinals != null);
    const hasNorms = parts.some((part) => part?.norms != null);
    const numbers = yield* mergeNumbers(field, inputs, docMaps, docCount);
    this.directory.u8(
      (hasTerms ? PART_TERMS : 0) |
        (hasOrdinals ? PART_ORDINALS : 0) |
        (numbers === null ? 0 : PART_NUMBERS) |
        (hasNorms ? PART_NORMS : 0),
    );
    const norms = hasNorms
      ? mergeNorms(
          parts.map((part) => part?.norms ?? null),
          docMaps,
          docCount,
        )
      : null;
    if (hasTerms) {
      const terms = yield* this.mergeTerms({ field, inputs, docMaps, docCount, norms, hasOrdinals });
      yield* terms.written.finish(this.container, this.directory, terms.docsWithTerms);
      yield;
      if (hasOrdinals) yield* this.writeOrdinals(field, terms);
    }
    if (numbers !== null) yield* writeNumberColumn(numbers, this.container, this.directory);
    if (norms !== null) writeSectionRef(this.directory, this.container.section(norms));
    // Nobody reads a field of an input twice.
    for (const { segment } of inputs) segment.dropSections();
    yield;
  }

  private *mergeTerms(merge: FieldMerge): Generator<void, MergedTerms> {
    try {
      const steps = mergeTermsByKernels(merge, this.memory.kernels);
      if (steps !== null) return yield* steps;
    } catch (error) {
      if (!(error instanceof NoKernelRoom)) throw error;
    }
    return yield* mergeTerms(merge);
  }

  private *writeOrdinals(field: string, terms: MergedTerms): Generator<void, void> {
    const columns = this.inputs.map(({ segment }) => segment.parts(field)?.ordinals ?? null);
    const { counts, ordinals } = yield* mergeOrdinals(columns, this.docMaps, terms.ordinalMaps, this.docCount);
    writeOrdinalColumn(counts, ordinals, terms.written.termCount, this.container, this.directory);
    yield;
  }
}
