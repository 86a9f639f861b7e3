/**
 * Postings of single terms of a field whose postings are too long to be read for one of them: of each section the range that has
 * those of the term.
 *
 * The blocks of a term follow each other in every section, in the order of the terms, so that one range of each has them all; what
 * is written behind them is of the next term, whose start is their end. Kernels are given addresses from which the offsets in the
 * segment lead into the range: they may be below 0, and wrap around as addresses of kernels do.
 */
import { assert } from '@shoal/core';
import { PagedSection } from '../container/paged-section.ts';
import type { SectionRef } from '../container/section-ref.ts';
import type { SectionSource, SegmentSections } from '../container/segment-sections.ts';
import { DenseColumns } from './dense-columns.ts';
import { FlatCursor } from './flat-cursor.ts';
import { ListEnds } from './list-end.ts';
import { POSTINGS_BLOCK } from './packed-block.ts';
import { type HeldPostings, listSections } from './postings-sections.ts';
import { PACKED_UNIT_WORDS, POSITIONS_UNIT_BYTES } from './postings-writer.ts';
import { RangedTerm, type TermRanges } from './ranged-term.ts';

const WORD_BYTES = 4;
const PACKED_UNIT_BYTES = PACKED_UNIT_WORDS * WORD_BYTES;
/** Terms of a field that are known at a time, whatever room there is: each takes some hundred bytes beside its ranges. */
const TERMS_MAX = 1_024;
const NOTHING: SectionSource = { length: 0, read: () => new Uint8Array(0), readInto: () => {} };

export interface RangedShape {
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  /** Blocks of all terms together. */
  readonly blockCount: number;
}

/** Term with a list or blocks, as the dictionary has it. */
export interface TermPlace {
  readonly ordinal: number;
  readonly docFreq: number;
  /** First block from 128 documents on, else the start of the list. */
  readonly start: number;
}

type Refs = Readonly<Record<string, SectionRef | null>>;

export class RangedPostings {
  private readonly sections: SegmentSections;
  private readonly shape: RangedShape;
  /** Frequency columns of the most frequent terms, each as long as the postings of its term. */
  private readonly columns: DenseColumns = new DenseColumns();
  private readonly paged: Readonly<Record<string, PagedSection>>;
  private readonly lists: PagedSection;
  /** Terms of which something is in memory, or was asked for a moment ago, by their ordinals. */
  private readonly terms = new Map<number, RangedTerm>();
  private readonly ends: ListEnds;

  constructor(sections: SegmentSections, refs: Refs, shape: RangedShape) {
    this.sections = sections;
    this.shape = shape;
    this.ends = new ListEnds(shape.hasPositions);
    const paged: Record<string, PagedSection> = {};
    for (const [name, ref] of Object.entries(refs)) if (ref !== null) paged[name] = new PagedSection(sections, ref);
    this.paged = paged;
    this.lists = this.section('lists');
  }

  private section(name: string): PagedSection {
    const section = this.paged[name];
    if (section === undefined) throw this.sections.bytes.damaged(`a field has no section ${name}`);
    return section;
  }

  /** A cursor before the first document of the term. */
  cursor(term: TermPlace): FlatCursor {
    const { docFreq, start } = term;
    if (docFreq >= POSTINGS_BLOCK) return new FlatCursor(this.term(term).sections, docFreq, 0, 0);
    const bytes = this.lists.bytes(start, this.ends.endOf(this.lists, start, docFreq));
    return new FlatCursor(listSections(bytes, this.shape), docFreq, -1, 0);
  }

  /** For kernels, until its `release`; null when there is no room. */
  hold(term: TermPlace, withPositions: boolean): HeldPostings | null {
    return this.term(term).hold(withPositions);
  }

  private term(place: TermPlace): RangedTerm {
    const { ordinal } = place;
    assert(place.docFreq > 0, `term ${ordinal} has no documents`);
    const known = this.terms.get(ordinal);
    if (known !== undefined) return known;
    this.makeRoom();
    const ranges = place.docFreq < POSTINGS_BLOCK ? this.listRanges(place) : this.blockRanges(place);
    const term: RangedTerm = new RangedTerm(this.sections, { ordinal, columns: this.columns }, ranges, () => {
      // Whoever walks through a term that was forgotten may read its positions again, and they are evicted again.
      if (this.terms.get(ordinal) === term) this.terms.delete(ordinal);
    });
    this.terms.set(ordinal, term);
    return term;
  }

  /** Forgets a term that was not used lately, where they are many. */
  private makeRoom(): void {
    if (this.terms.size < TERMS_MAX) return;
    // Each gets one more round; in the second one none was used since.
    for (let looked = this.terms.size * 2; looked > 0; looked--) {
      const [first] = this.terms;
      if (first === undefined) return;
      const [ordinal, term] = first;
      this.terms.delete(ordinal);
      if (!term.isInUse && !term.takeUse()) {
        term.drop();
        return;
      }
      this.terms.set(ordinal, term);
    }
  }

  private listRanges({ docFreq, start }: TermPlace): TermRanges {
    const { hasFreqs, hasPositions } = this.shape;
    const postings = [this.lists.range(start, this.ends.endOf(this.lists, start, docFreq))];
    const starts = { block: 0, lists: start, packed: 0, impacts: 0, positions: 0 };
    return { hasFreqs, hasPositions, blockCount: 0, starts, postings, positions: [] };
  }

  private blockRanges({ docFreq, start: block }: TermPlace): TermRanges {
    const { hasFreqs, hasPositions, blockCount: allBlocks } = this.shape;
    const blockCount = Math.ceil(docFreq / POSTINGS_BLOCK);
    const next = block + blockCount;
    const isLast = next >= allBlocks;
    const blocks = (name: string, more = 0): SectionSource =>
      this.section(name).range(block * WORD_BYTES, (next + more) * WORD_BYTES);
    /** From where the first block's content starts to where that of the next term does. */
    const content = (name: string, at: string, unitBytes: number): { readonly from: number; readonly to: number } => {
      const starts = this.section(at);
      const to = isLast && at !== 'blockImpacts' ? this.section(name).length : starts.word(next) * unitBytes;
      return { from: starts.word(block) * unitBytes, to };
    };
    const none = { from: 0, to: 0 };
    const rest = docFreq % POSTINGS_BLOCK;
    const listsFrom = rest === 0 ? 0 : this.section('blockData').word(next - 1);
    const lists = rest === 0 ? NOTHING : this.lists.range(listsFrom, this.ends.endOf(this.lists, listsFrom, rest));
    const packed = content('packed', 'blockData', PACKED_UNIT_BYTES);
    const impacts = hasFreqs ? content('impacts', 'blockImpacts', WORD_BYTES) : none;
    const positions = hasPositions ? content('positions', 'blockPositions', POSITIONS_UNIT_BYTES) : none;
    return {
      hasFreqs,
      hasPositions,
      blockCount,
      starts: { block, lists: listsFrom, packed: packed.from, impacts: impacts.from, positions: positions.from },
      postings: [
        lists,
        blocks('blockLastDocs'),
        blocks('blockData'),
        blocks('blockBits'),
        this.section('packed').range(packed.from, packed.to),
        hasFreqs ? blocks('blockImpacts', 1) : NOTHING,
        hasFreqs ? this.section('impacts').range(impacts.from, impacts.to) : NOTHING,
      ],
      positions: hasPositions
        ? [blocks('blockPositions'), this.section('positions').range(positions.from, positions.to)]
        : [],
    };
  }
}
