/**
 * Merges the terms of one field by kernels, which read the inputs a window at a time.
 *
 * Beside the windows and the job, which are of one size, this takes memory for the merged norms, for the new numbers of documents
 * of segments with deletes (four bytes each), and for the new numbers of terms where the field has a column of them.
 */

import { assert } from '@shoal/core';
import type { SpillFile } from '../../bytes/spill-file.ts';
import type { FlatTerms } from '../../format/terms/flat-terms.ts';
import { JOB_DONE, JOB_STARVED } from '../../kernels/postings-kernels.ts';
import type { KernelMemory } from '../../memory/kernel-memory.ts';
import { PostingsJob, PostingsMemory } from '../seal/postings-job.ts';
import { blockEnd, type InputTerms, type PostingsWindow } from './input-terms.ts';
import { anyOf, type FieldMerge, type MergedTerms, termsOf, usedTerms } from './merged-terms.ts';
import { WindowMemory } from './placed-window.ts';
import { TermWindows } from './term-windows.ts';

/** Blocks and terms between two yields: a millisecond of work or less. */
const BUDGET = 512;
/** End of the blocks of a window that has all blocks of its terms. */
const ALL_BLOCKS = 0xffff_ffff;
const NO_ORDINALS = new Int32Array(0);
/** -1 as a word. */
const NO_ORDINAL = 0xffff_ffff;

/** Merges the terms of a field by kernels; null where they cannot. Throws `NoKernelRoom` when memory ends on the way. */
export function mergeTermsByKernels(
  merge: FieldMerge,
  memory: KernelMemory | null,
  spill: SpillFile,
): Generator<void, MergedTerms> | null {
  const kernels = memory?.postings ?? null;
  // Kernels write the documents of an input behind those of the one before.
  if (memory === null || kernels === null || merge.sources !== null) return null;
  const terms = termsOf(merge);
  const shape = anyOf(terms);
  const isAlike = terms.every(
    (one) =>
      one === null ||
      (one.hasFreqs === shape.hasFreqs &&
        one.hasPositions === shape.hasPositions &&
        one.hasPostings === shape.hasPostings),
  );
  return isAlike ? new KernelTermMerge(merge, terms, new PostingsMemory(memory, kernels), spill).run() : null;
}

/** Input whose window is in kernel memory. */
interface PlacedInput {
  readonly index: number;
  readonly terms: InputTerms;
  readonly dictionary: WindowMemory;
  readonly postings: WindowMemory;
  /** Addresses of the new numbers of its documents, and of a byte a term that live documents have; 0: of all. */
  readonly docMap: number;
  readonly used: number;
  /** New numbers of its terms; empty when nobody asks. */
  readonly ordinals: Int32Array;
  ordinalsAt: number;
  /** Block of the long term behind those that are there. */
  blocksTo: number;
}

class KernelTermMerge {
  private readonly merge: FieldMerge;
  private readonly terms: readonly (FlatTerms | null)[];
  private readonly shape: FlatTerms;
  private readonly memory: PostingsMemory;
  private readonly spill: SpillFile;
  private seen: Uint8Array = new Uint8Array(0);

  constructor(merge: FieldMerge, terms: readonly (FlatTerms | null)[], memory: PostingsMemory, spill: SpillFile) {
    this.merge = merge;
    this.terms = terms;
    this.shape = anyOf(terms);
    this.memory = memory;
    this.spill = spill;
  }

  *run(): Generator<void, MergedTerms> {
    const { memory, shape, merge, spill } = this;
    const { kernels } = memory;
    try {
      const bytes = kernels.mergeJobBytes(merge.inputs.length);
      const job = new PostingsJob(memory, shape, { bytes, norms: merge.norms, spill });
      kernels.setMerge(job.address, merge.inputs.length, shape.hasPostings ? 1 : 0, this.placeSeen());
      const windows = new TermWindows(this.terms, merge.windowBytes);
      const inputs = windows.inputs.flatMap((terms, index) => (terms === null ? [] : [this.placeInput(terms, index)]));
      while (windows.next()) {
        for (const input of inputs) this.setInput(job.address, input, windows);
        // They may have come from files.
        yield;
        yield* this.mergeWindow(job, inputs, windows.bytes);
        for (const input of inputs) this.takeOrdinals(input);
      }
      const docsWithTerms = this.docsWithTerms();
      assert(docsWithTerms <= merge.docCount, `${docsWithTerms} documents with terms of ${merge.docCount}`);
      const ordinalMaps = merge.inputs.map((_, i) => inputs.find(({ index }) => index === i)?.ordinals ?? NO_ORDINALS);
      return { written: job.end(), docsWithTerms, ordinalMaps };
    } finally {
      memory.releaseAll();
    }
  }

  private *mergeWindow(job: PostingsJob, inputs: readonly PlacedInput[], bytes: number): Generator<void, void> {
    const { kernels } = this.memory;
    kernels.beginMerge(job.address);
    for (;;) {
      const answer = job.run((address) => kernels.mergeSome(address, BUDGET));
      if (answer === JOB_DONE) return;
      if (answer === JOB_STARVED) {
        const starved = kernels.starvedInput(job.address);
        const input = inputs.find(({ index }) => index === starved);
        assert(input !== undefined, `input ${starved} of a merge wants blocks`);
        this.setBlocks(job.address, input, bytes);
      }
      yield;
    }
  }

  /** Only deletes leave documents without a term that had one. */
  private placeSeen(): number {
    const { merge, memory, shape } = this;
    if (!shape.hasPostings || merge.docMaps.every(({ numbers }) => numbers === null)) return 0;
    const address = memory.allocate(merge.docCount);
    this.seen = memory.bytesAt(address, merge.docCount).fill(0);
    return address;
  }

  private docsWithTerms(): number {
    let count = 0;
    if (this.seen.length > 0) for (let doc = 0; doc < this.seen.length; doc++) count += this.seen[doc] as number;
    else if (this.shape.hasPostings) for (const terms of this.terms) count += terms?.stats.docCount ?? 0;
    return count;
  }

  private placeInput(terms: InputTerms, index: number): PlacedInput {
    const { merge, memory, shape } = this;
    const numbers = merge.docMaps[index]?.numbers ?? null;
    const used = shape.hasPostings ? null : usedTerms(merge, index);
    return {
      index,
      terms,
      dictionary: new WindowMemory(memory),
      postings: new WindowMemory(memory),
      docMap: numbers === null || !shape.hasPostings ? 0 : memory.copy(new Uint8Array(numbers.buffer)),
      used: used === null ? 0 : memory.copy(used),
      ordinals: merge.hasOrdinals ? new Int32Array(terms.terms.size) : NO_ORDINALS,
      ordinalsAt: 0,
      blocksTo: 0,
    };
  }

  /** Gives the kernels the window of an input. */
  private setInput(job: number, input: PlacedInput, windows: TermWindows): void {
    const { merge, memory } = this;
    const { kernels } = memory;
    const { index, terms, docMap, used } = input;
    const { from, to } = terms;
    const count = to - from;
    if (count === 0) {
      kernels.setInputTerms(job, index, 0, 0, 0, 0, 0, 0, 0);
      return;
    }
    const at = input.dictionary.placeDictionary(terms.dictionary(), count, merge.hasOrdinals);
    input.ordinalsAt = at.ordinals;
    if (merge.hasOrdinals) memory.wordsAt(at.ordinals, count).fill(NO_ORDINAL);
    const { termStarts, termBytes, docFreqs, postingsAt, totalTermFreqs } = at;
    const { termLength } = terms.terms;
    kernels.setInputTerms(job, index, count, termLength, termStarts, termBytes, docFreqs, postingsAt, totalTermFreqs);
    const base = merge.docMaps[index]?.base ?? 0;
    kernels.setInputMaps(job, index, docMap, base, used === 0 ? 0 : used + from, at.ordinals);
    const isLong = windows.isLongTerm && terms.hasBlocks();
    input.blocksTo = isLong ? terms.firstBlocks().first : ALL_BLOCKS;
    if (isLong) this.setBlocks(job, input, windows.bytes);
    else this.setPostings(job, input, terms.postings());
  }

  /** Gives the kernels the next blocks of a long term. */
  private setBlocks(job: number, input: PlacedInput, bytes: number): void {
    const { terms, blocksTo } = input;
    const term = terms.firstBlocks();
    assert(blocksTo < blockEnd(term), `blocks from ${blocksTo} on of a term that ends at ${blockEnd(term)}`);
    input.blocksTo = Math.min(blocksTo + terms.blocksOf(bytes), blockEnd(term));
    this.setPostings(job, input, terms.blocks(term, blocksTo, input.blocksTo));
  }

  private setPostings(job: number, { index, postings, blocksTo }: PlacedInput, window: PostingsWindow): void {
    const at = postings.placePostings(window);
    const { lists, blockLastDocs, blockData, blockBits, packed, blockPositions, positions } = at;
    this.memory.kernels.setInputSections(
      job,
      index,
      lists,
      blockLastDocs,
      blockData,
      blockBits,
      packed,
      blockPositions,
      positions,
      blocksTo,
    );
  }

  /** Takes the new numbers of the terms of a window, which was merged. */
  private takeOrdinals({ terms, ordinals, ordinalsAt }: PlacedInput): void {
    const { from, to } = terms;
    if (ordinals.length === 0 || to === from) return;
    ordinals.set(this.memory.wordsAt(ordinalsAt, to - from), from);
  }
}
