/**
 * Queries of terms that `span_multi` may hold; their names in requests are those of their nodes.
 */
import { AssertionFailure } from '@shoal/core';
import type { QueryKind } from '../../node/query-kind.ts';
import { type FuzzyQuery, fuzzy } from '../fuzzy/fuzzy.ts';
import type { PatternQuery } from '../pattern/pattern-query.ts';
import { prefix } from '../prefix/prefix.ts';
import { regexp } from '../regexp/regexp.ts';
import { wildcard } from '../wildcard/wildcard.ts';

const KINDS: readonly QueryKind<PatternQuery | FuzzyQuery>[] = [prefix, wildcard, regexp, fuzzy];

export function multiTermKind(name: string): QueryKind<PatternQuery | FuzzyQuery> | null {
  return KINDS.find(({ kind }) => kind === name) ?? null;
}

/** The recursion that these leaves are given; none of them takes it. */
export function noQueryInside(): never {
  throw new AssertionFailure('a query of terms holds no other query');
}
