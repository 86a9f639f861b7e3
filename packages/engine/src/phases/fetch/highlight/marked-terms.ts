/**
 * What a query asks of the words of each field: single words, tests on words, and phrases. Highlighting marks these.
 *
 * The same analysis as when the query runs, so that a word is marked if and only if it is what the query looks for.
 * Queries that look at no words (ranges, ids, existence) ask for none; what must not match is not shown either.
 */

import {
  asQuery,
  type FuzzyQuery,
  type MatchPhraseQuery,
  type MatchQuery,
  type MultiMatchQuery,
  type PatternQuery,
  plainPattern,
  type Query,
  type QueryNode,
  REGEXP_STATES_DEFAULT,
} from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { DEAD, type LazyDfa } from '../../../match/automaton/lazy-dfa.ts';
import { analyzeQueryText, type QueryToken, searchAnalyzer } from '../../../match/compile/compile-full-text.ts';
import { type FuzzyOptions, nearestTerms } from '../../../match/compile/compile-fuzzy.ts';
import { searchedFields } from '../../../match/compile/compile-multi-match.ts';
import { patternAutomaton } from '../../../match/compile/compile-patterns.ts';
import { queryStringToQuery } from '../../../match/compile/query-string.ts';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import { type MarkSink, markIntervals, markSpan } from './marked-positions.ts';
import type { MarkedPattern, MarkedPhrase, MarkedPlace, MarkedTerms, WordTest } from './marks.ts';

/** Words, patterns and phrases that one request may mark. */
const MARKS_MAX = 65_536;

/** Of queries that do not say how many near words they look for. */
const EXPANSIONS_DEFAULT = 50;

export function markedTerms(ctx: CompileContext, query: Query): MarkedTerms {
  const collector = new TermCollector(ctx);
  collector.visit(query);
  return collector;
}

class TermCollector implements MarkedTerms, MarkSink {
  readonly words = new Map<string, Set<string>>();
  readonly patterns: MarkedPattern[] = [];
  readonly phrases: MarkedPhrase[] = [];
  private readonly ctx: CompileContext;
  private count = 0;

  constructor(ctx: CompileContext) {
    this.ctx = ctx;
  }

  visit(node: QueryNode): void {
    const query = asQuery(node);
    switch (query.kind) {
      case 'term':
        if (query.isCaseInsensitive) this.caseless(query.field, String(query.value));
        else this.value(query.field, query.value);
        return;
      case 'terms':
        for (const value of query.values) this.value(query.field, value);
        return;
      case 'prefix':
      case 'wildcard':
      case 'regexp':
        this.pattern(query);
        return;
      case 'fuzzy':
        this.fuzzy(query);
        return;
      case 'bool':
        for (const clause of [...query.must, ...query.filter, ...query.should]) this.visit(clause);
        return;
      case 'constantScore':
        this.visit(query.filter);
        return;
      case 'disMax':
        for (const one of query.queries) this.visit(one);
        return;
      case 'boosting':
        this.visit(query.positive);
        return;
      case 'match':
      case 'matchBoolPrefix':
        this.match(query);
        return;
      case 'matchPhrase':
      case 'matchPhrasePrefix':
        this.phrase(query);
        return;
      case 'multiMatch':
        this.multiMatch(query);
        return;
      case 'queryString':
      case 'simpleQueryString':
        this.visit(queryStringToQuery(this.ctx, query));
        return;
      case 'functionScore':
        this.visit(query.query);
        return;
      case 'span':
        markSpan(this, query.span);
        return;
      case 'intervals': {
        const field = this.textField(query.field);
        if (field !== null) markIntervals(this, this.ctx, field, query.source);
        return;
      }
      default:
        // These look at no words.
        return;
    }
  }

  word(field: string, word: string): void {
    if (this.isFull()) return;
    const words = this.words.get(field) ?? new Set();
    this.words.set(field, words);
    words.add(word);
  }

  /** What is beyond the limit stays unmarked: it is a matter of show. */
  private isFull(): boolean {
    return ++this.count > MARKS_MAX;
  }

  private textField(name: string): FieldMapping | null {
    const field = this.ctx.mapping.field(name);
    return field !== null && (field.kind === 'text' || field.kind === 'keyword') ? field : null;
  }

  private value(field: string, value: unknown): void {
    if (this.textField(field)) this.word(field, String(value));
  }

  pattern(query: Pick<PatternQuery, 'field' | 'kind' | 'value' | 'isCaseInsensitive' | 'operators'>): void {
    const { field } = query;
    if (!this.textField(field) || this.isFull()) return;
    const automaton = patternAutomaton({ ...query, statesMax: REGEXP_STATES_DEFAULT });
    const encoder = new TextEncoder();
    this.patterns.push({ field, test: (word) => isAccepted(automaton, encoder.encode(word)) });
  }

  private caseless(field: string, value: string): void {
    this.pattern({ ...plainPattern('wildcard', field, escaped(value)), isCaseInsensitive: true });
  }

  fuzzy(query: Omit<FuzzyOptions, 'rewrite' | 'maxExpansions'> & Pick<FuzzyQuery, 'field' | 'value'>): void {
    if (this.textField(query.field))
      this.near(query.field, String(query.value), { maxExpansions: EXPANSIONS_DEFAULT, ...query });
  }

  addPhrase(phrase: MarkedPhrase): void {
    if (this.textField(phrase.field) && !this.isFull()) this.phrases.push(phrase);
  }

  private near(field: string, word: string, options: Omit<FuzzyOptions, 'rewrite'>): void {
    for (const { term } of nearestTerms(this.ctx, field, word, options)) this.word(field, textOf(term));
  }

  private match(query: MatchQuery): void {
    const field = this.textField(query.field);
    if (field === null) return;
    const { fuzziness, value, kind } = query;
    if (field.kind === 'keyword') {
      if (fuzziness === null) this.value(query.field, value);
      else this.near(query.field, String(value), { ...query, fuzziness });
      return;
    }
    const tokens = this.tokens(field, query);
    for (const [i, token] of tokens.entries()) {
      if (kind === 'matchBoolPrefix' && i === tokens.length - 1) this.prefix(query.field, textOf(token.term));
      else if (fuzziness !== null) this.near(query.field, textOf(token.term), { ...query, fuzziness });
      else this.word(query.field, textOf(token.term));
    }
  }

  private tokens(field: FieldMapping, query: MatchQuery | MatchPhraseQuery): QueryToken[] {
    return analyzeQueryText(searchAnalyzer(this.ctx, field, query.analyzer), String(query.value));
  }

  private prefix(field: string, prefix: string): void {
    if (!this.isFull()) this.patterns.push({ field, test: (word) => word.startsWith(prefix) });
  }

  private phrase(query: MatchPhraseQuery): void {
    const field = this.textField(query.field);
    if (field === null) return;
    if (field.kind === 'keyword') {
      this.value(query.field, query.value);
      return;
    }
    const tokens = this.tokens(field, query);
    const [first] = tokens;
    if (first === undefined || this.isFull()) return;
    const isPrefix = query.kind === 'matchPhrasePrefix';
    if (tokens.length === 1) {
      if (isPrefix) this.prefix(field.path, textOf(first.term));
      else this.word(field.path, textOf(first.term));
      return;
    }
    const places = tokens.map(({ term, position }, i): MarkedPlace => {
      const text = textOf(term);
      const isExpanded = isPrefix && i === tokens.length - 1;
      const test: WordTest = isExpanded ? (word) => word.startsWith(text) : (word) => word === text;
      return { test, offset: position - first.position };
    });
    this.phrases.push({ field: field.path, places, slop: query.slop });
  }

  private multiMatch(query: MultiMatchQuery): void {
    for (const { field } of searchedFields(this.ctx, query.fields)) {
      if (query.type === 'phrase' || query.type === 'phrase_prefix') {
        const kind = query.type === 'phrase' ? 'matchPhrase' : 'matchPhrasePrefix';
        this.phrase({ ...query, kind, field: field.path });
      } else {
        const kind = query.type === 'bool_prefix' ? 'matchBoolPrefix' : 'match';
        this.match({ ...query, kind, field: field.path });
      }
    }
  }
}

/** The text as a wildcard pattern that stands for itself alone. */
function escaped(text: string): string {
  return text.replace(/[\\*?]/g, '\\$&');
}

function isAccepted(automaton: LazyDfa, word: Uint8Array): boolean {
  let state = automaton.start;
  for (const byte of word) {
    state = automaton.step(state, byte);
    if (state === DEAD) return false;
  }
  return automaton.isAccepting(state);
}

function textOf(term: Uint8Array): string {
  return Buffer.from(term).toString('utf8');
}
