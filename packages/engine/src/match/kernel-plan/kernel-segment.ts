/**
 * Tells the kernels where the terms of a query stand in one segment.
 */
import { assert } from '@shoal/core';
import { NO_NORM } from '../../bytes/small-float.ts';
import type { NormDocs } from '../../format/columns/field-norms.ts';
import { FlatSegment } from '../../format/flat-segment.ts';
import type { SegmentField } from '../../format/parts/segment-field.ts';
import type { HeldBounds } from '../../format/postings/block-bounds.ts';
import type { DenseColumns } from '../../format/postings/dense-columns.ts';
import { POSTINGS_BLOCK } from '../../format/postings/packed-block.ts';
import type { HeldPostings } from '../../format/postings/postings-sections.ts';
import { NO_MORE_DOCS, type SegmentView } from '../../format/reader/segment-reader.ts';
import type { FlatTerms } from '../../format/terms/flat-terms.ts';
import type { KernelMemory, QueryArea } from '../../memory/kernel-memory.ts';
import type { Bm25 } from '../weight/bm25.ts';
import type { LocatedTerm } from '../weight/located-term.ts';
import { type ClausesShape, type PlanTerm, termsOfShape } from '../weight/plan-shape.ts';
import type { CountedShape } from './counted-shape.ts';

const WORD_BYTES = 4;

/** A term that a segment has. */
export interface FoundTerm {
  readonly terms: FlatTerms;
  readonly ordinal: number;
  readonly docFreq: number;
  readonly field: SegmentField;
  readonly bm25: Bm25 | null;
}

function findTerm(view: SegmentView, term: LocatedTerm, bm25: Bm25 | null): FoundTerm | null {
  if (!(view.segment instanceof FlatSegment)) return null;
  const parts = view.segment.parts(term.field);
  const terms = parts?.terms ?? null;
  if (terms === null || !terms.hasPostings) return null;
  const ordinal = term.ordinalIn(view);
  if (ordinal < 0) return null;
  const docFreq = terms.docFreq(ordinal);
  return parts === null || docFreq === 0 ? null : { terms, ordinal, docFreq, field: parts, bm25 };
}

/** A clause that may match in a segment. */
export interface FoundClause {
  readonly found: readonly FoundTerm[];
  readonly needed: number;
  readonly isRequired: boolean;
}

/** A segment that may have matches, and the query's terms in it: in the order of the plan, those it lacks left out. */
export interface PlannedSegment {
  readonly view: SegmentView;
  readonly found: readonly FoundTerm[];
  /** Clauses of a shape that has some, without those that cannot match; their terms are `found`. */
  readonly clauses: readonly FoundClause[];
}

/** null: nothing in the segment matches. */
export function foundIn(shape: CountedShape | ClausesShape, view: SegmentView): PlannedSegment | null {
  if (shape.kind === 'clauses') return clausesIn(shape, view);
  const wanted = shape.kind === 'some' ? shape.terms : termsOfShape(shape);
  const least = shape.kind === 'any' ? 1 : shape.kind === 'some' ? shape.needed : wanted.length;
  const found = termsIn(wanted, view, least);
  return found && { view, found, clauses: [] };
}

/** The terms that the segment has; null when they are fewer than `least`. */
function termsIn(wanted: readonly PlanTerm[], view: SegmentView, least: number): readonly FoundTerm[] | null {
  const found: FoundTerm[] = [];
  let left = wanted.length;
  for (const { term, bm25 } of wanted) {
    const one = findTerm(view, term, bm25);
    if (one !== null) found.push(one);
    else if (--left < least) return null;
  }
  return found;
}

function clausesIn(shape: ClausesShape, view: SegmentView): PlannedSegment | null {
  const clauses: FoundClause[] = [];
  let optional = 0;
  for (const { terms, needed, isRequired } of shape.clauses) {
    const found = termsIn(terms, view, needed);
    if (found === null && isRequired) return null;
    if (found === null) continue;
    if (!isRequired) optional++;
    clauses.push({ found, needed, isRequired });
  }
  if (clauses.length === 0 || optional < shape.needed) return null;
  return { view, found: clauses.flatMap(({ found }) => found), clauses };
}

/** The memory that kernels see all segments of the views in; null when one has another. */
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
export function scoresAlways({ terms, field, bm25 }: FoundTerm): boolean {
  return bm25 === null || bm25.score(1, field.fieldNorms === null ? NO_NORM : terms.normMax) > 0;
}

/** The term that has the fewest documents. */
export function rarestOf(found: readonly FoundTerm[]): FoundTerm | null {
  return found.reduce<FoundTerm | null>(
    (best, one) => (best !== null && best.docFreq <= one.docFreq ? best : one),
    null,
  );
}

function docsOfTerm({ terms, ordinal, docFreq }: FoundTerm): NormDocs {
  return {
    count: docFreq,
    *docs() {
      const cursor = terms.postings(ordinal);
      for (let doc = cursor.next(); doc !== NO_MORE_DOCS; doc = cursor.next()) yield doc;
    },
  };
}

/** Sets the slots of a query's area for one segment after the other. */
export class SegmentSlots {
  private readonly memory: KernelMemory;
  private readonly area: QueryArea;
  /** Length tables that the area holds. */
  private readonly inverses: Float32Array[] = [];
  private bounds: HeldBounds[] = [];
  /** What is to be done when the segment is done with. */
  private held: (() => void)[] = [];
  /** Frequency columns of the field of the term in each slot. */
  private readonly columns: DenseColumns[] = [];
  private readonly readsPositions: boolean;

  constructor(memory: KernelMemory, area: QueryArea, readsPositions: boolean) {
    assert(area.address > 0, `a query area at ${area.address}`);
    this.memory = memory;
    this.area = area;
    this.readsPositions = readsPositions;
  }

  /**
   * Puts the terms into slots, in their order. `lead`: the term that has every document in which kernels look up the others; null
   * where each of them is read by itself. False when there is no room for what they need.
   */
  setTerms(view: SegmentView, found: readonly FoundTerm[], lead: FoundTerm | null): boolean {
    // Before its documents are read for norms: what kernels hold is what JavaScript is given a view of.
    if (lead !== null && lead !== found[0] && this.holdPostings(lead) === null) return false;
    return found.every((term, slot) => this.set(slot, view, term, lead ?? term));
  }

  private set(slot: number, view: SegmentView, found: FoundTerm, lead: FoundTerm): boolean {
    const { terms, ordinal, docFreq, field, bm25 } = found;
    this.check(slot, view, found);
    const { kernels } = this.memory;
    const { address } = this.area;
    const postings = this.holdPostings(found);
    if (postings === null) return false;
    const normsAt = bm25 === null ? 0 : this.holdNorms(view, found, lead);
    if (bm25 !== null && normsAt === 0) return false;
    const { at } = postings;
    this.columns[slot] = postings.columns;
    kernels.setSections(address, slot, at.packed, at.lists, at.positions, at.impacts, normsAt);
    const start = terms.postingsStart(ordinal);
    if (terms.isInlined(ordinal)) kernels.setOneDocument(address, slot, start, terms.totalTermFreq(ordinal));
    else if (docFreq < POSTINGS_BLOCK) kernels.setShortTerm(address, slot, docFreq, at.lists + start);
    else if (!this.setLong(slot, found, start, postings)) return false;
    if (bm25 === null) return true;
    const normMin = field.fieldNorms === null ? NO_NORM : terms.normMin;
    const normMax = field.fieldNorms === null ? NO_NORM : terms.normMax;
    kernels.setScoring(address, slot, bm25.weight, this.inversesAt(bm25.inverses), normMin, normMax);
    return true;
  }

  private check(slot: number, { segment }: SegmentView, { terms, ordinal, docFreq, field }: FoundTerm): void {
    const { docCount } = segment;
    const isRight =
      slot < this.memory.kernels.termsMax() &&
      ordinal < terms.size &&
      docFreq > 0 &&
      docFreq <= docCount &&
      (field.fieldNorms === null || terms.normMin <= terms.normMax);
    if (isRight) return;
    // Written only where it is needed: a text costs more than all the rest of a rare term.
    const norms = `norms ${terms.normMin}..${terms.normMax}`;
    assert(false, `term ${ordinal} of ${terms.size} in slot ${slot}, in ${docFreq} of ${docCount} documents, ${norms}`);
  }

  /** 0 when there is no room. */
  private holdNorms(view: SegmentView, found: FoundTerm, lead: FoundTerm): number {
    const { fieldNorms } = found.field;
    if (fieldNorms === null) return this.memory.sameNorms(view.segment.docCount, NO_NORM);
    // The bound of a short term is computed of all its documents.
    const terms = found !== lead && found.docFreq < POSTINGS_BLOCK ? [lead, found] : [lead];
    const norms = fieldNorms.hold(terms.map(docsOfTerm));
    if (norms === null) return 0;
    this.held.push(norms.release);
    return norms.address;
  }

  private holdPostings({ terms, ordinal }: FoundTerm): HeldPostings | null {
    const postings = terms.holdTerm(ordinal, this.readsPositions);
    if (postings !== null) this.held.push(postings.release);
    return postings;
  }

  private setLong(
    slot: number,
    { terms, docFreq, bm25 }: FoundTerm,
    firstBlock: number,
    { at, bounds: own, boundsFrom, boundsCount }: HeldPostings,
  ): boolean {
    const skipped = firstBlock * WORD_BYTES;
    let boundsAt = 0;
    if (terms.hasFreqs && bm25 !== null) {
      const bounds = own.hold(this.memory, boundsCount, bm25.inverses);
      if (bounds === null) return false;
      this.bounds.push(bounds);
      boundsAt = bounds.address + (firstBlock - boundsFrom) * WORD_BYTES;
    }
    this.memory.kernels.setLongTerm(
      this.area.address,
      slot,
      docFreq,
      at.blockLastDocs + skipped,
      at.blockData + skipped,
      at.blockBits + skipped,
      at.blockPositions + skipped,
      at.blockImpacts + skipped,
      boundsAt,
    );
    return true;
  }

  /** Gives the term in `slot` a column, when it is frequent enough to have one. */
  setColumn(slot: number, view: SegmentView, { ordinal, docFreq }: FoundTerm): void {
    const { memory, area } = this;
    const { docCount } = view.segment;
    const columns = this.columns[slot];
    assert(columns !== undefined, `no term was put into slot ${slot}`);
    const column = columns.of(ordinal, { docFreq, docCount, memory }, (address, length) => {
      memory.kernels.makeColumn(area.address, slot, address, length);
    });
    if (column !== 0) memory.kernels.setColumn(area.address, slot, column);
  }

  /** Fields are few: their tables are found by looking at each. */
  private inversesAt(inverses: Float32Array): number {
    let index = this.inverses.indexOf(inverses);
    if (index < 0) {
      index = this.inverses.push(inverses) - 1;
      assert(index < this.memory.kernels.termsMax(), `length table ${index} of an area`);
      this.memory.writeFloats(this.area.inverses(index), inverses);
    }
    return this.area.inverses(index);
  }

  /** The segment is done with. */
  release(): void {
    for (const bounds of this.bounds) bounds.release();
    this.bounds = [];
    for (const release of this.held) release();
    this.held = [];
  }
}
