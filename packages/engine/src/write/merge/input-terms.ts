/**
 * Terms of one input of a merge, in their order, a window at a time: of each section the range that has the terms of the window.
 *
 * All that terms which follow each other have in a section stands together, so that one range of each has it.
 */
import { assert } from '@shoal/core';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import { ListEnds } from '../../format/postings/list-end.ts';
import { POSTINGS_BLOCK } from '../../format/postings/packed-block.ts';
import { LIST_BLOCK, PACKED_UNIT_WORDS, POSITIONS_UNIT_BYTES } from '../../format/postings/postings-writer.ts';
import type { FlatTerms } from '../../format/terms/flat-terms.ts';
import { SectionWindow } from './section-window.ts';

const WORD_BYTES = 4;
/** Bytes of the block arrays for each block. */
const BLOCK_BYTES = 16;
/** Bytes of the dictionary for each term beside its own. */
const TERM_BYTES = 16;
/** Units in which the block arrays say where a block starts. */
const UNIT_BYTES = { packed: PACKED_UNIT_WORDS * WORD_BYTES, positions: POSITIONS_UNIT_BYTES } as const;
const NO_BYTES = new Uint8Array(0);
const NO_WORDS = new Uint32Array(0);

/** Blocks of one term. */
export interface TermBlocks {
  /** First of them in the block arrays of the field. */
  readonly first: number;
  readonly docFreq: number;
}

/** List of `count` postings: it starts at `start`, or where the data of `block` say unless that is -1. */
interface ListPlace {
  readonly block: number;
  readonly start: number;
  readonly count: number;
}

/** Range of a section from offset `from` on. */
interface Range {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** Ranges that have the postings of a window, each with the offset in its section at which it starts. */
export interface PostingsWindow {
  readonly lists: Uint8Array;
  readonly listsFrom: number;
  /** Block arrays from block `blocksFrom` on. */
  readonly blocksFrom: number;
  readonly blockLastDocs: Uint32Array;
  readonly blockData: Uint32Array;
  readonly blockBits: Uint32Array;
  readonly blockPositions: Uint32Array;
  readonly packed: Uint8Array;
  readonly packedFrom: number;
  readonly positions: Uint8Array;
  readonly positionsFrom: number;
}

export interface DictionaryWindow {
  /** Offsets in `termBytes`, one more than there are terms; empty where all terms are equally long. */
  readonly termStarts: Uint32Array;
  readonly termBytes: Uint8Array;
  readonly termBytesFrom: number;
  /** Empty where each term has one document. */
  readonly docFreqs: Uint32Array;
  readonly postingsAt: Uint32Array;
  readonly totalTermFreqs: Uint32Array;
}

const NO_RANGE: Range = { from: 0, bytes: NO_BYTES };
const NO_POSTINGS: PostingsWindow = {
  lists: NO_BYTES,
  listsFrom: 0,
  blocksFrom: 0,
  blockLastDocs: NO_WORDS,
  blockData: NO_WORDS,
  blockBits: NO_WORDS,
  blockPositions: NO_WORDS,
  packed: NO_BYTES,
  packedFrom: 0,
  positions: NO_BYTES,
  positionsFrom: 0,
};

export class InputTerms {
  readonly terms: FlatTerms;
  /** Ordinals of the window. */
  from = 0;
  to = 0;
  /** End of the largest window that may follow: the term there is known, unless it is the end of all. */
  reach = 0;
  private readonly sections = new Map<string, SectionWindow>();
  private readonly ends: ListEnds;
  /** Mean bytes of a block. */
  private readonly blockBytes: number;
  /** Bytes of all sections. */
  private readonly wholeBytes: number;

  constructor(terms: FlatTerms) {
    this.terms = terms;
    this.ends = new ListEnds(terms.hasPositions);
    const { dictionary, postings, positions } = terms.refs;
    for (const [name, ref] of Object.entries({ ...dictionary, ...postings, ...positions }))
      if (ref !== null) this.sections.set(name, new SectionWindow(terms.segment.bytes, ref));
    this.wholeBytes = [...this.sections.values()].reduce((sum, { length }) => sum + length, 0);
    const content = (postings.packed?.length ?? 0) + (positions.positions?.length ?? 0);
    this.blockBytes = BLOCK_BYTES + content / Math.max(terms.blockCount, 1);
  }

  private section(name: string): SectionWindow {
    const section = this.sections.get(name);
    if (section === undefined) throw this.terms.segment.bytes.damaged(`a field has no section ${name}`);
    return section;
  }

  private words(name: string, to: number): Uint32Array {
    return this.section(name).words(this.from, to, this.from);
  }

  get isAtEnd(): boolean {
    return this.from === this.terms.size;
  }

  /** Begins behind the window before. */
  pass(): void {
    assert(this.from <= this.to && this.to <= this.terms.size, `a window from ${this.from} to ${this.to}`);
    this.from = this.to;
  }

  /** Sets `reach`: as many terms as take about `bytes`; none when the next one alone has blocks of more. */
  look(bytes: number): void {
    const { terms, from } = this;
    if (this.isAtEnd || (from === 0 && this.wholeBytes <= bytes)) {
      this.reach = terms.size;
      return;
    }
    const limit = Math.min(terms.size, from + Math.ceil(bytes / TERM_BYTES));
    const { termLength } = terms;
    const starts = termLength > 0 ? null : this.words('termStarts', limit + 1);
    const docFreqs = terms.hasPostings && !terms.isUnique ? this.words('docFreqs', limit) : null;
    const places = docFreqs === null ? NO_WORDS : this.words('postingsAt', limit);
    let sum = 0;
    let at = from;
    let lastList = -1;
    for (; at < limit && sum < bytes; at++) {
      const i = at - from;
      const docFreq = docFreqs?.[i] ?? 0;
      sum += TERM_BYTES + (starts === null ? termLength : (starts[i + 1] as number) - (starts[i] as number));
      if (docFreq >= POSTINGS_BLOCK) {
        const blocks = Math.ceil(docFreq / POSTINGS_BLOCK) * this.blockBytes;
        // Such a term is a window of its own.
        if (blocks > bytes) break;
        sum += blocks;
      } else if (docFreq > 1 || (docFreq === 1 && terms.hasPositions)) {
        const list = places[i] as number;
        if (lastList >= 0) sum += list - lastList;
        lastList = list;
      }
    }
    this.reach = at;
  }

  /** Bytes of a term of the window, or of the one at `reach`; a view, valid until the next call. */
  term(ordinal: number): Uint8Array {
    const { termLength } = this.terms;
    const [start, end] =
      termLength > 0
        ? [ordinal * termLength, (ordinal + 1) * termLength]
        : [this.startOf(ordinal), this.startOf(ordinal + 1)];
    return this.section('termBytes').bytes(start, end, this.startOf(this.from));
  }

  private startOf(ordinal: number): number {
    const { termLength } = this.terms;
    return termLength > 0 ? ordinal * termLength : this.section('termStarts').word(ordinal, this.from);
  }

  /** First ordinal of from..reach whose term is at or above `key`; `reach` when there is none. */
  ceiling(key: Uint8Array): number {
    let low = this.from;
    let high = this.reach;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const term = this.term(middle);
      if (compareBytes(term, 0, term.length, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Dictionary of the terms from..to - 1; views, valid until the next call of any other method. */
  dictionary(): DictionaryWindow {
    const { terms, from, to } = this;
    const { termLength, hasPostings, hasFreqs, isUnique } = terms;
    const termStarts = termLength > 0 ? NO_WORDS : this.words('termStarts', to + 1);
    const start = termStarts[0] ?? from * termLength;
    const end = termStarts[to - from] ?? to * termLength;
    return {
      termStarts,
      termBytes: this.section('termBytes').bytes(start, end, start),
      termBytesFrom: start,
      docFreqs: hasPostings && !isUnique ? this.words('docFreqs', to) : NO_WORDS,
      postingsAt: hasPostings ? this.words('postingsAt', to) : NO_WORDS,
      totalTermFreqs: hasPostings && hasFreqs ? this.words('totalTermFreqs', to) : NO_WORDS,
    };
  }

  /** Postings of the terms from..to - 1; views, see `dictionary`. */
  postings(): PostingsWindow {
    const { terms, from, to } = this;
    if (!terms.hasPostings || (terms.isUnique && !terms.hasPositions)) return NO_POSTINGS;
    if (from === 0 && to === terms.size) return this.allPostings();
    const docFreqs = terms.isUnique ? null : this.words('docFreqs', to);
    const places = this.words('postingsAt', to);
    // Ordinals of the first and last terms that have blocks, and those that have a list, be it behind blocks.
    let firstBlocks = -1;
    let lastBlocks = -1;
    let firstList = -1;
    let lastList = -1;
    for (let ordinal = from; ordinal < to; ordinal++) {
      const docFreq = docFreqs === null ? 1 : (docFreqs[ordinal - from] as number);
      if (docFreq >= POSTINGS_BLOCK) {
        if (firstBlocks < 0) firstBlocks = ordinal;
        lastBlocks = ordinal;
        if (docFreq % POSTINGS_BLOCK === 0) continue;
      } else if (docFreq === 1 && !terms.hasPositions) continue;
      if (firstList < 0) firstList = ordinal;
      lastList = ordinal;
    }
    const blocksOf = (ordinal: number): TermBlocks => ({
      first: places[ordinal - from] as number,
      docFreq: docFreqs?.[ordinal - from] ?? 1,
    });
    const listOf = (ordinal: number): ListPlace | null => {
      if (ordinal < 0) return null;
      const term = blocksOf(ordinal);
      if (term.docFreq < POSTINGS_BLOCK) return { block: -1, start: term.first, count: term.docFreq };
      return { block: blockEnd(term) - 1, start: 0, count: term.docFreq % POSTINGS_BLOCK };
    };
    const blocksFrom = firstBlocks < 0 ? 0 : blocksOf(firstBlocks).first;
    const blocksTo = lastBlocks < 0 ? 0 : blockEnd(blocksOf(lastBlocks));
    return this.ranges(blocksFrom, blocksTo, listOf(firstList), listOf(lastList));
  }

  private allPostings(): PostingsWindow {
    const { hasPositions, blockCount } = this.terms;
    const all = (name: string): Uint8Array => {
      const section = this.section(name);
      return section.bytes(0, section.length);
    };
    const blocks = (name: string): Uint32Array => this.section(name).words(0, blockCount);
    return {
      lists: all('lists'),
      listsFrom: 0,
      blocksFrom: 0,
      blockLastDocs: blocks('blockLastDocs'),
      blockData: blocks('blockData'),
      blockBits: blocks('blockBits'),
      blockPositions: hasPositions ? blocks('blockPositions') : NO_WORDS,
      packed: all('packed'),
      packedFrom: 0,
      positions: hasPositions ? all('positions') : NO_BYTES,
      positionsFrom: 0,
    };
  }

  /** The first term of the window has blocks. */
  hasBlocks(): boolean {
    return !this.terms.isUnique && this.section('docFreqs').word(this.from) >= POSTINGS_BLOCK;
  }

  /** Blocks of the first term of the window. */
  firstBlocks(): TermBlocks {
    return {
      first: this.section('postingsAt').word(this.from),
      docFreq: this.section('docFreqs').word(this.from),
    };
  }

  /** Blocks of a term that take about `bytes`; at least one. */
  blocksOf(bytes: number): number {
    return Math.max(1, Math.floor(bytes / this.blockBytes));
  }

  /** Blocks from..to - 1 of the only term of the window, and what is read beside them. */
  blocks(term: TermBlocks, from: number, to: number): PostingsWindow {
    const rest = term.docFreq % POSTINGS_BLOCK;
    assert(from < to && to <= blockEnd(term), `blocks ${from} to ${to} of a term that ends at ${blockEnd(term)}`);
    const list = rest > 0 && to === blockEnd(term) ? { block: to - 1, start: 0, count: rest } : null;
    // Documents of a block count from the last one of the block before.
    return this.ranges(Math.max(term.first, from - 1), to, list, list);
  }

  private ranges(
    blocksFrom: number,
    blocksTo: number,
    firstList: ListPlace | null,
    lastList: ListPlace | null,
  ): PostingsWindow {
    const { hasPositions, blockCount } = this.terms;
    assert(blocksTo <= blockCount, `blocks up to ${blocksTo} of ${blockCount}`);
    const hasBlocks = blocksTo > blocksFrom;
    const blocks = (name: string): Uint32Array =>
      hasBlocks ? this.section(name).words(blocksFrom, blocksTo, blocksFrom) : NO_WORDS;
    const packed = hasBlocks ? this.content('packed', 'blockData', blocksFrom, blocksTo) : NO_RANGE;
    const positions =
      hasBlocks && hasPositions ? this.content('positions', 'blockPositions', blocksFrom, blocksTo) : NO_RANGE;
    const lists = firstList === null || lastList === null ? NO_RANGE : this.lists(firstList, lastList, blocksFrom);
    return {
      lists: lists.bytes,
      listsFrom: lists.from,
      blocksFrom,
      blockLastDocs: blocks('blockLastDocs'),
      blockData: blocks('blockData'),
      blockBits: blocks('blockBits'),
      blockPositions: hasPositions ? blocks('blockPositions') : NO_WORDS,
      packed: packed.bytes,
      packedFrom: packed.from,
      positions: positions.bytes,
      positionsFrom: positions.from,
    };
  }

  private lists(first: ListPlace, last: ListPlace, blocksFrom: number): Range {
    const startOf = ({ block, start }: ListPlace): number =>
      block < 0 ? start : this.section('blockData').word(block, blocksFrom);
    const section = this.section('lists');
    const from = startOf(first);
    const lastFrom = startOf(last);
    const reader = { length: section.length, bytes: (a: number, b: number) => section.bytes(a, b, from) };
    return { from, bytes: section.bytes(from, this.ends.endOf(reader, lastFrom, last.count), from) };
  }

  /** Range of a section that has what the blocks from..to - 1 have in it; `at` says in which unit each starts. */
  private content(name: 'packed' | 'positions', at: 'blockData' | 'blockPositions', from: number, to: number): Range {
    const section = this.section(name);
    const startOf = (block: number): number => {
      const full = this.fullBlock(block, from);
      return full === this.terms.blockCount ? section.length : this.section(at).word(full, from) * UNIT_BYTES[name];
    };
    const start = startOf(from);
    return { from: start, bytes: section.bytes(start, startOf(to)) };
  }

  /** First block from `block` on that is no list; the number of all blocks when there is none. */
  private fullBlock(block: number, since: number): number {
    const bits = this.section('blockBits');
    let at = block;
    while (at < this.terms.blockCount && bits.word(at, since) === LIST_BLOCK) at++;
    return at;
  }
}

/** End of a term's blocks. */
export function blockEnd({ first, docFreq }: TermBlocks): number {
  return first + Math.ceil(docFreq / POSTINGS_BLOCK);
}

/** Range in its `termBytes` of term number `i` of a window; `termLength`: bytes of every term, 0 when they differ. */
export function termRange(
  { termStarts, termBytesFrom }: DictionaryWindow,
  i: number,
  termLength: number,
): readonly [number, number] {
  if (termLength > 0) return [i * termLength, (i + 1) * termLength];
  return [(termStarts[i] as number) - termBytesFrom, (termStarts[i + 1] as number) - termBytesFrom];
}
