/**
 * Sections of a field's terms: which of them there are, in the order of the file, and what they are read together with.
 */
import { DamagedBytes } from '@shoal/core';
import { u32View } from '../container/container-reader.ts';
import type { PartSource } from '../container/part-source.ts';
import type { SectionRef } from '../container/section-ref.ts';
import type { SortedTerms } from '../reader/term-prefixes.ts';
import type { TermSamples } from './term-samples.ts';

const WORD_BYTES = 4;
const NO_BYTES = new Uint8Array(0);

/** Sections of a field's dictionary; those it does not have are empty. */
export interface DictionarySections extends SortedTerms {
  /** Empty where every term has one document. */
  readonly docFreqs: Uint32Array;
  readonly postingsAt: Uint32Array;
  readonly totalTermFreqs: Uint32Array;
  /** Made when a term is first looked for; null: the terms are few. */
  samples?: TermSamples | null;
}

interface TermsShape {
  readonly hasStarts: boolean;
  readonly hasPostings: boolean;
  readonly isUnique: boolean;
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  readonly hasIndex: boolean;
}

type Refs = Readonly<Record<string, SectionRef | null>>;

export interface TermsRefs {
  readonly dictionary: Refs;
  readonly postings: Refs;
  readonly positions: Refs;
  readonly index: Refs;
}

/** Sections in the order of the directory, by what they are used with. Groups name theirs in the order of their addresses. */
export function sectionRefs(from: PartSource, shape: TermsShape): TermsRefs {
  const { hasStarts, hasPostings, isUnique, hasFreqs, hasPositions, hasIndex } = shape;
  const when = (is: boolean): SectionRef | null => (is ? from.section() : null);
  const termStarts = when(hasStarts);
  const termBytes = when(true);
  const docFreqs = when(hasPostings && !isUnique);
  const postingsAt = when(hasPostings);
  const lists = when(hasPostings);
  const blockLastDocs = when(hasPostings);
  const blockData = when(hasPostings);
  const blockBits = when(hasPostings);
  const packed = when(hasPostings);
  const totalTermFreqs = when(hasPostings && hasFreqs);
  const blockImpacts = when(hasPostings && hasFreqs);
  const impacts = when(hasPostings && hasFreqs);
  const blockPositions = when(hasPostings && hasPositions);
  const positions = when(hasPostings && hasPositions);
  const indexStarts = when(hasIndex);
  const indexBytes = when(hasIndex);
  return {
    dictionary: { termStarts, termBytes, docFreqs, postingsAt, totalTermFreqs },
    postings: { lists, blockLastDocs, blockData, blockBits, packed, blockImpacts, impacts },
    positions: { blockPositions, positions },
    index: { indexStarts, indexBytes },
  };
}

export function present(refs: Refs): readonly SectionRef[] {
  return Object.values(refs).filter((ref) => ref !== null);
}

/** The section of this name among those that are there. */
export function bytesOf(refs: Refs, sections: readonly Uint8Array[], name: string): Uint8Array {
  let at = 0;
  for (const [key, ref] of Object.entries(refs)) {
    if (key === name) return ref === null ? NO_BYTES : (sections[at] ?? NO_BYTES);
    if (ref !== null) at++;
  }
  return NO_BYTES;
}

export function wordsOf(refs: Refs, sections: readonly Uint8Array[]): (name: string) => Uint32Array {
  return (name) => u32View(bytesOf(refs, sections, name));
}

/** Counts of a field that its sections must be long enough for. */
export interface TermsCounts {
  readonly size: number;
  /** Bytes of every term; 0 when they differ. */
  readonly termLength: number;
  readonly blockCount: number;
  /** Separators of the index; 0 without one. */
  readonly separatorCount: number;
}

/** Throws `DamagedBytes` when a section is longer or shorter than the counts of the field say. */
export function verifyTermsSections({ dictionary, postings, positions, index }: TermsRefs, counts: TermsCounts): void {
  const { size, termLength, blockCount, separatorCount } = counts;
  const check = (refs: Refs, name: string, bytes: number): void => {
    const ref = refs[name] ?? null;
    if (ref !== null && ref.length !== bytes)
      throw new DamagedBytes(
        `section ${name} of ${ref.length} bytes, ${size} terms and ${blockCount} blocks take ${bytes}`,
      );
  };
  check(dictionary, 'termStarts', (size + 1) * WORD_BYTES);
  if (termLength > 0) check(dictionary, 'termBytes', size * termLength);
  for (const name of ['docFreqs', 'postingsAt', 'totalTermFreqs']) check(dictionary, name, size * WORD_BYTES);
  for (const name of ['blockLastDocs', 'blockData', 'blockBits']) check(postings, name, blockCount * WORD_BYTES);
  check(postings, 'blockImpacts', (blockCount + 1) * WORD_BYTES);
  check(positions, 'blockPositions', blockCount * WORD_BYTES);
  check(index, 'indexStarts', (separatorCount + 1) * WORD_BYTES);
}
