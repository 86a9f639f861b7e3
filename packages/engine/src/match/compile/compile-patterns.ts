/**
 * prefix, wildcard and regexp queries: the terms that an automaton accepts, scored as `rewrite` says.
 */
import { type LazyDfa, prefixAutomaton, regexpAutomaton, wildcardAutomaton } from '@shoal/automata';
import { illegalArgument, unreachable } from '@shoal/core';
import type { PatternQuery } from '@shoal/query';
import { type FieldMapping, type FlatIndexSettings, typedIndexSettings } from '@shoal/schema';
import { checkIndexed } from '../../field-types/contract/field-type.ts';
import { matchingTermsInSteps, type ShownTerm } from '../automaton/matching-terms.ts';
import { filterKey, isCached } from '../context/cached-filters.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import { type CompileContext, utf8Bytes } from '../context/compile-context.ts';
import type { FindInSteps } from '../context/prepared-docs.ts';
import { preparedWeight } from '../context/prepared-weight.ts';
import { refuseExpensive, refuseExpensivePrefix } from '../context/refuse-expensive.ts';
import { metadataPattern } from '../metadata/metadata-queries.ts';
import { docsOfPrefix, docsOfRuns } from '../term-sets/multi-term-docs.ts';
import { parseRewrite, rewrittenTerms } from '../term-sets/rewritten-terms.ts';
import { NOTHING_WANTED, type Weight } from '../weight/weight.ts';
import { termsOfAutomaton } from './automaton-terms.ts';
import { foldedPattern } from './folded-pattern.ts';
import { normalizerOf } from './normalized-value.ts';
import { hasPatterns, notForPattern, shownTerm } from './not-for-field.ts';

type Pattern = Pick<PatternQuery, 'kind' | 'value' | 'isCaseInsensitive' | 'operators' | 'statesMax'>;

export function patternWeight(ctx: CompileContext, given: PatternQuery, use: ClauseUse): Weight {
  const { kind } = given;
  if (kind === 'regexp') checkRegexpLength(ctx.settings, given.value, 'Regexp Query request');
  const ofMetadata = metadataPattern(ctx, given, use);
  if (ofMetadata !== null) return ofMetadata;
  const mapping = ctx.mapping.field(given.field);
  if (!mapping) return NOTHING_WANTED;
  const query = normalizedPattern(ctx, mapping, given);
  const { value } = query;
  const field = mapping.path;
  if (!hasPatterns(mapping)) throw notForPattern(ctx, mapping, kind);
  if (kind === 'prefix') refuseExpensivePrefix(ctx, mapping, value);
  else refuseExpensive(ctx, kind);
  checkIndexed(mapping);
  const rewrite = query.rewrite === null ? null : parseRewrite(query.rewrite);
  if (rewrite !== null && rewrite.kind !== 'constant') {
    const found = termsOfAutomaton(ctx, field, patternAutomaton(query), shownTerm(mapping)).map((term) => ({
      term,
      boost: 1,
    }));
    return rewrittenTerms(ctx, { field, found, plainText: patternText(field, query) }, rewrite, use);
  }
  const shown = shownTerm(mapping);
  if (kind === 'prefix' && !query.isCaseInsensitive && shown === null) {
    const prefix = utf8Bytes(value);
    const key = filterKey('prefix', field, [prefix]);
    return preparedWeight(ctx, key, (view) => docsOfPrefix(view, field, prefix), use, `${field}:${value}*`);
  }
  const text = patternText(field, query);
  const key = filterKey(kind, field, patternKey(query));
  const [first] = ctx.searcher.views;
  // What a regular expression may take is not part of its key: it is compiled even where its documents are cached.
  const isCompiled = kind === 'regexp' || key === null || (first !== undefined && !isCached(first, key));
  let made = isCompiled ? patternAutomaton(query) : null;
  // States that one segment entered serve the next.
  const automaton = (): LazyDfa => (made ??= patternAutomaton(query));
  return automatonWeight(ctx, key, { field, automaton, shown, text }, use);
}

function patternText(field: string, { kind, value }: Pattern): string {
  return kind === 'regexp' ? `${field}:/${value}/` : `${field}:${value}${kind === 'prefix' ? '*' : ''}`;
}

/** Pattern in the letters of a field with a normalizer; what stands for other letters in a wildcard stays. */
function normalizedPattern(ctx: CompileContext, field: FieldMapping, query: PatternQuery): PatternQuery {
  const normalizer = normalizerOf(ctx, field);
  if (normalizer === null) return query;
  const { kind, value } = query;
  if (kind === 'wildcard') return { ...query, value: foldedPattern(ctx, field, null, value) };
  return { ...query, value: normalizer.normalize(value) };
}

/** All that decides which terms a pattern accepts, short where it can be: a long key is hashed for each request. */
function patternKey({ kind, value, isCaseInsensitive, operators }: Pattern): string[] {
  const parts = [value, String(isCaseInsensitive)];
  return kind === 'regexp' ? [...parts, JSON.stringify(operators)] : parts;
}

export function patternAutomaton({ kind, value, isCaseInsensitive, operators, statesMax }: Pattern): LazyDfa {
  switch (kind) {
    case 'prefix':
      return prefixAutomaton(value, isCaseInsensitive);
    case 'wildcard':
      return wildcardAutomaton(value, isCaseInsensitive);
    case 'regexp':
      return regexpAutomaton({ pattern: value, operators, ignoresCase: isCaseInsensitive, statesMax });
    default:
      return unreachable(kind);
  }
}

/** All terms of a field that the automaton accepts, scored alike. */
function automatonWeight(
  ctx: CompileContext,
  key: string | null,
  {
    field,
    automaton,
    shown,
    text,
  }: {
    readonly field: string;
    readonly automaton: () => LazyDfa;
    readonly shown: ShownTerm;
    readonly text: string;
  },
  use: ClauseUse,
): Weight {
  const docs: FindInSteps = function* (view) {
    const terms = view.segment.terms(field);
    if (!terms) return () => null;
    return yield* docsOfRuns(view, field, terms, yield* matchingTermsInSteps(terms, automaton(), shown));
  };
  return preparedWeight(ctx, key, docs, use, text);
}

/** @throws ShoalError when a regular expression is longer than the index allows */
export function checkRegexpLength(settings: FlatIndexSettings, pattern: string, where: string): void {
  const { maxRegexLength } = typedIndexSettings(settings);
  if (pattern.length <= maxRegexLength) return;
  throw illegalArgument(
    `The length of regex [${pattern.length}] used in the ${where} has exceeded the allowed maximum of [${maxRegexLength}]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
  );
}
