/**
 * Merges the terms of one field by kernels, which read the inputs where they stand in kernel memory.
 *
 * Beside the job, which is of one size, this takes memory for the merged norms, for the new numbers of documents of segments
 * with deletes (four bytes each), and for the new numbers of terms where the field has a column of them.
 */

import { assert } from '@shoal/core';
import type { PostingsAddresses } from '../../format/postings/postings-sections.ts';
import type { FlatTerms } from '../../format/terms/flat-terms.ts';
import type { DictionaryAddresses } from '../../format/terms/terms-sections.ts';
import { JOB_DONE } from '../../kernels/postings-kernels.ts';
import type { KernelMemory } from '../../memory/kernel-memory.ts';
import { NoKernelRoom, PostingsJob, PostingsMemory } from '../seal/postings-job.ts';
import { anyOf, type FieldMerge, type MergedTerms, termsOf, usedTerms } from './merged-terms.ts';

/** Blocks and terms between two yields: a millisecond of work or less. */
const BUDGET = 512;
const WORD_BYTES = 4;
/** Kernels read so much behind packed numbers and terms. */
const READ_BEHIND = 16;

/** Merges the terms of a field by kernels; null where they cannot. Throws `NoKernelRoom` when memory ends on the way. */
export function mergeTermsByKernels(
  merge: FieldMerge,
  memory: KernelMemory | null,
): Generator<void, MergedTerms> | null {
  const kernels = memory?.postings ?? null;
  // Kernels write the documents of an input behind those of the one before.
  if (memory === null || kernels === null || merge.isReordered) return null;
  const terms = termsOf(merge);
  const shape = anyOf(terms);
  const isAlike = terms.every(
    (one) =>
      one === null ||
      (one.hasFreqs === shape.hasFreqs &&
        one.hasPositions === shape.hasPositions &&
        one.hasPostings === shape.hasPostings),
  );
  return isAlike ? new KernelTermMerge(merge, terms, memory, new PostingsMemory(memory, kernels)).run() : null;
}

type InputAddresses = DictionaryAddresses & Omit<PostingsAddresses, 'impacts' | 'blockImpacts'>;

class KernelTermMerge {
  private readonly merge: FieldMerge;
  private readonly terms: readonly (FlatTerms | null)[];
  private readonly shape: FlatTerms;
  private readonly home: KernelMemory;
  private readonly memory: PostingsMemory;
  /** New numbers of the terms of each input. */
  private readonly ordinals: Int32Array[] = [];
  private seen: Uint8Array = new Uint8Array(0);
  private readonly held: (() => void)[] = [];

  constructor(merge: FieldMerge, terms: readonly (FlatTerms | null)[], home: KernelMemory, memory: PostingsMemory) {
    this.merge = merge;
    this.terms = terms;
    this.shape = anyOf(terms);
    this.home = home;
    this.memory = memory;
  }

  *run(): Generator<void, MergedTerms> {
    const { memory, shape, merge } = this;
    const { kernels } = memory;
    try {
      const bytes = kernels.mergeJobBytes(merge.inputs.length);
      const job = new PostingsJob(memory, shape, bytes, merge.norms);
      kernels.setMerge(job.address, merge.inputs.length, shape.hasPostings ? 1 : 0, this.placeSeen());
      for (const [i, terms] of this.terms.entries()) {
        if (terms === null) {
          this.ordinals.push(new Int32Array(0));
          continue;
        }
        this.setInput(job.address, i, terms);
        // It may have come from a file.
        yield;
      }
      kernels.beginMerge(job.address);
      while (job.run((address) => kernels.mergeSome(address, BUDGET)) !== JOB_DONE) yield;
      const docsWithTerms = this.docsWithTerms();
      assert(docsWithTerms <= merge.docCount, `${docsWithTerms} documents with terms of ${merge.docCount}`);
      assert(
        !merge.hasOrdinals || this.ordinals.length === merge.inputs.length,
        `ordinals of ${this.ordinals.length} inputs of ${merge.inputs.length}`,
      );
      const ordinalMaps = this.ordinals.map((ordinals) => ordinals.slice());
      return { written: job.end(), docsWithTerms, ordinalMaps };
    } finally {
      memory.releaseAll();
      for (const release of this.held) release();
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

  private setInput(job: number, i: number, terms: FlatTerms): void {
    const { merge, memory } = this;
    const { kernels } = memory;
    const at = merge.inputs[i]?.segment.kernels === this.home ? this.hold(terms) : this.copy(terms);
    kernels.setInputTerms(
      job,
      i,
      terms.size,
      terms.termLength,
      at.termStarts,
      at.termBytes,
      at.docFreqs,
      at.postingsAt,
      at.totalTermFreqs,
    );
    kernels.setInputSections(
      job,
      i,
      at.lists,
      at.blockLastDocs,
      at.blockData,
      at.blockBits,
      at.packed,
      at.blockPositions,
      at.positions,
    );
    const map = merge.docMaps[i];
    const numbers = map?.numbers ?? null;
    const numbersAt = numbers === null || !this.shape.hasPostings ? 0 : memory.copy(new Uint8Array(numbers.buffer));
    const used = this.shape.hasPostings ? null : usedTerms(merge, i);
    const usedAt = used === null ? 0 : memory.copy(used);
    kernels.setInputMaps(job, i, numbersAt, map?.base ?? 0, usedAt, this.placeOrdinals(terms));
  }

  /** The sections where they stand in this memory, until the merge of the field ends. */
  private hold(terms: FlatTerms): InputAddresses {
    const dictionary = terms.holdDictionary();
    if (dictionary === null) throw new NoKernelRoom();
    this.held.push(() => terms.releaseDictionary());
    const postings = terms.holdForKernels(true);
    if (postings === null) throw new NoKernelRoom();
    this.held.push(() => terms.releaseFromKernels(true));
    return { ...dictionary, ...postings };
  }

  /** The same of copies. */
  private copy({ dictionary, sections }: FlatTerms): InputAddresses {
    const place = (section: Uint8Array | Uint32Array): number => {
      if (section.length === 0) return 0;
      const bytes = new Uint8Array(section.buffer, section.byteOffset, section.byteLength);
      return this.memory.copy(bytes, READ_BEHIND);
    };
    const { places } = sections;
    return {
      termStarts: place(dictionary.termStarts),
      termBytes: place(dictionary.termBytes),
      docFreqs: place(dictionary.docFreqs),
      postingsAt: place(dictionary.postingsAt),
      totalTermFreqs: place(dictionary.totalTermFreqs),
      lists: place(sections.lists),
      blockLastDocs: place(sections.blockLastDocs),
      blockData: place(sections.blockData),
      blockBits: place(sections.blockBits),
      packed: place(sections.packed),
      blockPositions: place(places.blockPositions),
      positions: place(places.positions),
    };
  }

  private placeOrdinals(terms: FlatTerms): number {
    const { memory } = this;
    if (!this.merge.hasOrdinals) return 0;
    const address = memory.allocate(terms.size * WORD_BYTES);
    const words = memory.wordsAt(address, terms.size);
    const ordinals = new Int32Array(words.buffer, words.byteOffset, words.length);
    this.ordinals.push(ordinals.fill(-1));
    return address;
  }
}
