/**
 * What a query asks of the words of each field: single words, tests on words, and phrases. Highlighting marks these.
 *
 * The same analysis as when the query runs, so that a word is marked if and only if it is what the query looks for.
 * Queries that look at no words (ranges, ids, existence) ask for none; what must not match is not shown either.
 */
import { DEAD, editAutomaton, type LazyDfa, REGEXP_STATES_DEFAULT } from '@shoal/automata';
import { assert } from '@shoal/core';
import type { HighlighterType, QueryNode, QueryValue } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { fieldType } from '../../../field-types/field-types.ts';
import { maxEdits, nearestTerms } from '../../../match/compile/compile-fuzzy.ts';
import { patternAutomaton } from '../../../match/compile/compile-patterns.ts';
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
/** Default number of near words that a fuzzy word stands for. */
const EXPANSIONS_DEFAULT = 50;

export function markedTerms(ctx: CompileContext, query: QueryNode, highlighter: HighlighterType): MarkedTerms {
  const collector = new TermCollector(ctx, highlighter);
  markQuery(query, collector);
  return collector;
}

class TermCollector implements MarkedTerms, MarkSink {
  readonly words = new Map<string, Set<string>>();
  readonly patterns: MarkedPattern[] = [];
  readonly phrases: MarkedPhrase[] = [];
  readonly ctx: CompileContext;
  readonly highlighter: HighlighterType;
  private count = 0;
  /** Position in front of which marks are wanted; null: anywhere. */
  private endMax: number | null = null;

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
    const words = this.words.get(field) ?? new Set();
    this.words.set(field, words);
    words.add(word);
  }

  value(field: string, value: QueryValue): void {
    if (this.textField(field)) this.word(field, String(value));
  }

  prefix(field: string, prefix: string): void {
    if (!this.isFull()) this.addTest(field, (word) => word.startsWith(prefix));
  }

  before(end: number, mark: () => void): void {
    const outer = this.endMax;
    this.endMax = Math.min(end, outer ?? end);
    mark();
    this.endMax = outer;
  }

  private addTest(name: string, test: WordTest): void {
    this.patterns.push({ field: this.pathOf(name), test, ...this.limit() });
  }

  private limit(): { readonly endMax?: number } {
    return this.endMax === null ? {} : { endMax: this.endMax };
  }

  pattern(query: PatternMark): void {
    const { field } = query;
    if (!this.textField(field) || this.isFull()) return;
    const automaton = patternAutomaton({ ...query, statesMax: REGEXP_STATES_DEFAULT });
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
    const test: WordTest = (word) => {
      const bytes = Buffer.from(word);
      const above = low ? Buffer.compare(bytes, low) : 1;
      const below = high ? Buffer.compare(bytes, high) : -1;
      return (includesFrom ? above >= 0 : above > 0) && (includesTo ? below <= 0 : below < 0);
    };
    this.addTest(field, test);
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

  addPhrase(phrase: MarkedPhrase): void {
    assert(phrase.positions.length > 1, `a phrase of ${phrase.positions.length} positions on ${phrase.field}`);
    if (this.textField(phrase.field) && !this.isFull())
      this.phrases.push({ ...phrase, ...this.limit(), field: this.pathOf(phrase.field) });
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
