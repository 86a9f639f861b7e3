/**
 * What a query asks of the words of each field: single words, tests on words, and phrases. Highlighting marks these.
 *
 * The same analysis as when the query runs, so that a word is marked if and only if it is what the query looks for.
 * Queries that look at no words (ranges, ids, existence) ask for none; what must not match is not shown either.
 */
import { DEAD, editAutomaton, type LazyDfa, prefixAutomaton, REGEXP_STATES_DEFAULT } from '@shoal/automata';
import { assert } from '@shoal/core';
import type { HighlighterType, QueryNode, QueryValue } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { fieldType } from '../../../field-types/field-types.ts';
import { termsOfAutomaton } from '../../../match/compile/automaton-terms.ts';
import { maxEdits, nearestTerms } from '../../../match/compile/compile-fuzzy.ts';
import { patternAutomaton } from '../../../match/compile/compile-patterns.ts';
import { shownTerm } from '../../../match/compile/not-for-field.ts';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import type {
  FuzzyMark,
  MarkedPattern,
  MarkedPhrase,
  MarkedTerms,
  MarkSink,
  PatternMark,
  RangeMark,
  WordTest,
} from '../../../match/marks/marks.ts';
import { markQuery } from '../../../match/registry/mark-query.ts';

/** Words, patterns and phrases that one request may mark. */
const MARKS_MAX = 65_536;
/** Words of the index that one pattern or range stands for where vectors are asked. */
const INDEXED_WORDS_MAX = 1_024;
const NONE = new Uint8Array();
const ZERO = Uint8Array.of(0);
/** Default number of near words that a fuzzy word stands for. */
const EXPANSIONS_DEFAULT = 50;

export function markedTerms(ctx: CompileContext, query: QueryNode, highlighter: HighlighterType): MarkedTerms {
  const collector = new TermCollector(ctx, highlighter);
  markQuery(query, collector);
  return collector;
}

class TermCollector implements MarkedTerms, MarkSink {
  readonly words = new Map<string, Map<string, number>>();
  readonly patterns: MarkedPattern[] = [];
  readonly phrases: MarkedPhrase[] = [];
  readonly ctx: CompileContext;
  readonly highlighter: HighlighterType;
  private count = 0;
  /** Position in front of which marks are wanted; null: anywhere. */
  private endMax: number | null = null;
  /** Words of phrases are marked one by one: null where they are not, otherwise the fields that are left out. */
  private apartFrom: ReadonlySet<string> | null = null;
  private numbers = 0;

  constructor(ctx: CompileContext, highlighter: HighlighterType) {
    this.ctx = ctx;
    this.highlighter = highlighter;
  }

  textField(name: string): FieldMapping | null {
    const field = this.ctx.mapping.field(name);
    return field !== null && fieldType(field.kind).textQueries !== 'none' ? field : null;
  }

  /** Path of a field by the name that the query uses. */
  private pathOf(name: string): string {
    return this.ctx.mapping.field(name)?.path ?? name;
  }

  word(name: string, word: string): void {
    if (this.isFull()) return;
    const field = this.pathOf(name);
    if (this.endMax !== null) {
      this.addTest(name, (found) => found === word);
      return;
    }
    if (this.apartFrom?.has(field)) return;
    const words = this.words.get(field) ?? new Map<string, number>();
    this.words.set(field, words);
    if (!words.has(word)) words.set(word, this.numbers++);
  }

  value(field: string, value: QueryValue): void {
    if (this.textField(field)) this.word(field, String(value));
  }

  prefix(field: string, prefix: string): void {
    if (this.isFull()) return;
    if (this.highlighter === 'fvh') this.indexedWords(field, prefixAutomaton(prefix, false));
    else this.addTest(field, (word) => word.startsWith(prefix));
  }

  before(end: number, mark: () => void): void {
    const outer = this.endMax;
    this.endMax = Math.min(end, outer ?? end);
    mark();
    this.endMax = outer;
  }

  apart(isSpare: boolean, mark: () => void): void {
    const outer = this.apartFrom;
    const marked = [...this.words.keys(), ...[...this.patterns, ...this.phrases].map(({ field }) => field)];
    this.apartFrom = new Set([...(outer ?? []), ...(isSpare ? marked : [])]);
    mark();
    this.apartFrom = outer;
  }

  private addTest(name: string, test: WordTest): void {
    const field = this.pathOf(name);
    if (!this.apartFrom?.has(field)) this.patterns.push({ field, number: this.numbers++, test, ...this.limit() });
  }

  /** Words of the index that the automaton accepts: vectors are asked for those, whichever field shows them. */
  private indexedWords(name: string, automaton: LazyDfa): void {
    const mapping = this.ctx.mapping.field(name);
    const shown = mapping === null ? null : shownTerm(mapping);
    this.firstWords(name, termsOfAutomaton(this.ctx, this.pathOf(name), automaton, shown));
  }

  private firstWords(name: string, terms: readonly Uint8Array[]): void {
    for (const term of terms.slice(0, INDEXED_WORDS_MAX)) this.word(name, Buffer.from(term).toString('utf8'));
  }

  /** Words of the index from `low` on while `test` holds: the first of each segment, as many as are wanted of all. */
  private wordsFrom(name: string, low: Uint8Array, test: (term: Uint8Array) => boolean): void {
    const found = new Map<string, Uint8Array>();
    for (const { segment } of this.ctx.searcher.views) {
      const terms = segment.terms(this.pathOf(name));
      if (!terms) continue;
      const from = terms.ceiling(low);
      for (let ordinal = from; ordinal < Math.min(terms.size, from + INDEXED_WORDS_MAX); ordinal++) {
        const term = terms.term(ordinal).slice();
        if (!test(term)) break;
        found.set(Buffer.from(term).toString('latin1'), term);
      }
    }
    this.firstWords(name, [...found.values()].sort(Buffer.compare));
  }

  private limit(): { readonly endMax?: number } {
    return this.endMax === null ? {} : { endMax: this.endMax };
  }

  pattern(query: PatternMark): void {
    const { field } = query;
    if (!this.textField(field) || this.isFull()) return;
    const automaton = patternAutomaton({ ...query, statesMax: REGEXP_STATES_DEFAULT });
    if (this.highlighter === 'fvh') {
      this.indexedWords(field, automaton);
      return;
    }
    const encoder = new TextEncoder();
    this.addTest(field, (word) => isAccepted(automaton, encoder.encode(word)));
  }

  fuzzy(query: FuzzyMark): void {
    const { field, value } = query;
    if (!this.textField(field)) return;
    if (this.highlighter !== 'fvh') {
      this.nearWords(query);
      return;
    }
    // Vectors are asked for terms of the index.
    const options = { maxExpansions: EXPANSIONS_DEFAULT, ...query };
    for (const { term } of nearestTerms(this.ctx, this.pathOf(field), String(value), options)) {
      this.word(field, Buffer.from(term).toString('utf8'));
    }
  }

  range({ field, from, includesFrom, to, includesTo }: RangeMark): void {
    if (!this.textField(field) || this.isFull()) return;
    const [low, high] = [from, to].map((end) => (end === null ? null : Buffer.from(String(end))));
    const isInside = (bytes: Uint8Array): boolean => {
      const above = low ? Buffer.compare(bytes, low) : 1;
      const below = high ? Buffer.compare(bytes, high) : -1;
      return (includesFrom ? above >= 0 : above > 0) && (includesTo ? below <= 0 : below < 0);
    };
    if (this.highlighter !== 'fvh') this.addTest(field, (word) => isInside(Buffer.from(word)));
    // The smallest word above one is that word with a zero behind it.
    else this.wordsFrom(field, Buffer.concat([low ?? NONE, low === null || includesFrom ? NONE : ZERO]), isInside);
  }

  /** Words of the text itself near the one asked for, whether the index has them or not. */
  private nearWords({ field, value, fuzziness, prefixLength, hasTranspositions }: FuzzyMark): void {
    if (this.isFull()) return;
    const word = String(value);
    const edits = maxEdits(fuzziness, [...word].length);
    const automaton = editAutomaton({ word, maxEdits: edits, prefixLength, hasTranspositions });
    const encoder = new TextEncoder();
    this.addTest(field, (near) => isAccepted(automaton, encoder.encode(near)));
  }

  addPhrase(phrase: Omit<MarkedPhrase, 'number'>): void {
    assert(phrase.positions.length > 1, `a phrase of ${phrase.positions.length} positions on ${phrase.field}`);
    if (!this.textField(phrase.field) || this.isFull()) return;
    if (this.apartFrom !== null) for (const { test } of phrase.positions) this.addTest(phrase.field, test);
    else this.phrases.push({ ...phrase, ...this.limit(), number: this.numbers++, field: this.pathOf(phrase.field) });
  }

  /** What is beyond the limit stays unmarked: a highlight may show less, the search finds the same. */
  private isFull(): boolean {
    return ++this.count > MARKS_MAX;
  }
}

function isAccepted(automaton: LazyDfa, word: Uint8Array): boolean {
  let state = automaton.start;
  for (const byte of word) {
    state = automaton.step(state, byte);
    if (state === DEAD) return false;
  }
  return automaton.isAccepting(state);
}
