/**
 * Tells the kernels where the terms of a query stand in one segment.
 */
import { NO_NORM } from '../bytes/small-float.ts';
import type { HeldBounds } from '../kernels/block-bounds.ts';
import type { KernelMemory, QueryArea } from '../kernels/kernel-memory.ts';
import type { FlatTerms } from '../segment/flat-postings.ts';
import { FlatSegment } from '../segment/flat-segment.ts';
import { POSTINGS_BLOCK } from '../segment/packed-block.ts';
import type { SegmentView } from '../segment/segment-reader.ts';
import type { Bm25 } from './bm25.ts';
import type { KernelPlan } from './kernel-plan.ts';

const WORD_BYTES = 4;

/** A term that a segment has. */
export interface FoundTerm {
  readonly terms: FlatTerms;
  readonly ordinal: number;
  readonly docFreq: number;
  /** null: the field has none. */
  readonly norms: Uint8Array | null;
  readonly bm25: Bm25 | null;
}

function findTerm(view: SegmentView, field: string, term: Uint8Array, bm25: Bm25 | null): FoundTerm | null {
  if (!(view.segment instanceof FlatSegment)) return null;
  const parts = view.segment.parts(field);
  const terms = parts?.terms ?? null;
  if (terms === null || !terms.hasPostings) return null;
  const ordinal = terms.find(term);
  if (ordinal < 0) return null;
  const docFreq = terms.docFreq(ordinal);
  return docFreq === 0 ? null : { terms, ordinal, docFreq, norms: parts?.norms ?? null, bm25 };
}

/** A segment that may have matches, and the query's terms in it: in the order of the plan, those it lacks left out. */
export interface PlannedSegment {
  readonly view: SegmentView;
  readonly found: readonly FoundTerm[];
}

export function foundIn({ shape }: KernelPlan, view: SegmentView): PlannedSegment | null {
  const found: FoundTerm[] = [];
  const wanted =
    shape.kind === 'phrase'
      ? shape.places.map(({ term }) => ({ field: shape.field, term, bm25: shape.bm25 }))
      : shape.terms;
  for (const { field, term, bm25 } of wanted) {
    const one = findTerm(view, field, term, bm25);
    if (one !== null) found.push(one);
    else if (shape.kind !== 'any') return null;
  }
  return found.length === 0 ? null : { view, found };
}

/** The memory that all segments of the views stand in; null when one stands elsewhere. */
export function memoryOf(views: readonly SegmentView[]): KernelMemory | null {
  let memory: KernelMemory | null = null;
  for (const { segment } of views) {
    const own = segment instanceof FlatSegment ? segment.kernels : null;
    if (own === null || (memory !== null && own !== memory)) return null;
    memory = own;
  }
  return memory;
}

/**
 * Kernels take a score of nothing for no match: true when every match of the term scores more than that.
 */
export function scoresAlways({ terms, norms, bm25 }: FoundTerm): boolean {
  return bm25 === null || bm25.score(1, norms === null ? NO_NORM : terms.normMax) > 0;
}

/** Sets the slots of a query's area for one segment after the other. */
export class SegmentSlots {
  private readonly memory: KernelMemory;
  private readonly area: QueryArea;
  /** Length tables that the area holds. */
  private readonly inverses: Float32Array[] = [];
  private bounds: HeldBounds[] = [];

  constructor(memory: KernelMemory, area: QueryArea) {
    this.memory = memory;
    this.area = area;
  }

  /** Puts the term into `slot`. False when there is no room for what it needs. */
  set(slot: number, view: SegmentView, found: FoundTerm): boolean {
    const { terms, ordinal, docFreq, norms, bm25 } = found;
    const { kernels } = this.memory;
    const { address } = this.area;
    const { sections } = terms;
    const normsAt = norms === null ? this.memory.sameNorms(view.segment.docCount, NO_NORM) : norms.byteOffset;
    if (normsAt === 0) return false;
    kernels.setSections(
      address,
      slot,
      sections.packed.byteOffset,
      sections.lists.byteOffset,
      sections.positions.byteOffset,
      sections.impacts.byteOffset,
      normsAt,
    );
    const start = terms.postingsStart(ordinal);
    if (terms.isInlined(ordinal)) kernels.setOneDocument(address, slot, start, terms.totalTermFreq(ordinal));
    else if (docFreq < POSTINGS_BLOCK) kernels.setShortTerm(address, slot, docFreq, sections.lists.byteOffset + start);
    else if (!this.setLong(slot, found, start)) return false;
    if (bm25 === null) return true;
    const normMin = norms === null ? NO_NORM : terms.normMin;
    const normMax = norms === null ? NO_NORM : terms.normMax;
    kernels.setScoring(address, slot, bm25.weight, this.inversesAt(bm25.inverses), normMin, normMax);
    return true;
  }

  private setLong(slot: number, { terms, docFreq, bm25 }: FoundTerm, firstBlock: number): boolean {
    const { sections } = terms;
    const at = firstBlock * WORD_BYTES;
    let boundsAt = 0;
    if (terms.hasFreqs && bm25 !== null) {
      const bounds = terms.bounds.hold(this.memory, sections.blockBits.length, bm25.inverses);
      if (bounds === null) return false;
      this.bounds.push(bounds);
      boundsAt = bounds.address + at;
    }
    this.memory.kernels.setLongTerm(
      this.area.address,
      slot,
      docFreq,
      sections.blockLastDocs.byteOffset + at,
      sections.blockData.byteOffset + at,
      sections.blockBits.byteOffset + at,
      sections.blockPositions.byteOffset + at,
      sections.blockImpacts.byteOffset + at,
      boundsAt,
    );
    return true;
  }

  /** Gives the term in `slot` a column, when it is frequent enough to have one. */
  setColumn(slot: number, view: SegmentView, { terms, ordinal, docFreq }: FoundTerm): void {
    const { memory, area } = this;
    const { docCount } = view.segment;
    const column = terms.columns.of(ordinal, { docFreq, docCount, memory }, (address, length) => {
      memory.kernels.makeColumn(area.address, slot, address, length);
    });
    if (column !== 0) memory.kernels.setColumn(area.address, slot, column);
  }

  /** Fields are few: their tables are found by looking at each. */
  private inversesAt(inverses: Float32Array): number {
    let index = this.inverses.indexOf(inverses);
    if (index < 0) {
      index = this.inverses.push(inverses) - 1;
      this.memory.writeFloats(this.area.inverses(index), inverses);
    }
    return this.area.inverses(index);
  }

  /** The segment is done with. */
  release(): void {
    for (const bounds of this.bounds) bounds.release();
    this.bounds = [];
  }
}
