/**
 * `rewrite`: how the terms that a pattern finds are scored.
 */
import { illegalArgument, unreachable } from '@shoal/core';
import { constantWeight } from '../bits/constant-weight.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { booleanWeight } from '../scorers/boolean-weight.ts';
import { termWeight } from '../scorers/term-weight.ts';
import { boostedWeight, noneWeight, textOfWeight, type Weight } from '../weight/weight.ts';
import { CLAUSES_MAX } from './clause-limits.ts';
import { docsOfTerms, sortedTerms } from './multi-term-docs.ts';

export type Rewrite =
  /** All alike. */
  | { readonly kind: 'constant' }
  /** Each as if it had been asked for. */
  | { readonly kind: 'scoring' }
  /** The best `count` terms: scored, worth their boost alone, or all as frequent as the most frequent of them. */
  | { readonly kind: 'topScored' | 'topBoost' | 'topBlended'; readonly count: number };

export interface FoundTerm {
  readonly term: Uint8Array;
  readonly boost: number;
}

export interface FoundTerms {
  readonly field: string;
  /** The best first, equal ones in byte order. */
  readonly found: readonly FoundTerm[];
  /** What found them. */
  readonly plainText: string;
}

const TOP_KINDS = { '': 'topScored', boost_: 'topBoost', blended_freqs_: 'topBlended' } as const;

/** @throws ShoalError when there is no such way */
export function parseRewrite(text: string): Rewrite {
  if (/^constant_score(?:_auto|_filter|_boolean|_blended)?$/.test(text)) return { kind: 'constant' };
  if (text === 'scoring_boolean') return { kind: 'scoring' };
  const top = /^top_terms_(boost_|blended_freqs_|)(\d{1,9})$/.exec(text);
  const kind = TOP_KINDS[(top?.[1] ?? '') as keyof typeof TOP_KINDS];
  if (top) return { kind, count: Number(top[2]) };
  throw illegalArgument(`Failed to parse rewrite_method [${text}]`);
}

export function rewrittenTerms(ctx: CompileContext, terms: FoundTerms, rewrite: Rewrite, use: ClauseUse): Weight {
  const weight = weightOfTerms(ctx, terms, rewrite, use);
  const { isPlainList: _, ownBoost, ...told } = weight;
  // The boost is that of the one term that was found, not of what found it.
  const inside = ownBoost === undefined ? {} : { text: textOfWeight(weight) };
  return { ...told, ...inside, plainText: terms.plainText };
}

function weightOfTerms(
  ctx: CompileContext,
  { field, found, plainText }: FoundTerms,
  rewrite: Rewrite,
  use: ClauseUse,
): Weight {
  const best = 'count' in rewrite ? found.slice(0, rewrite.count) : found;
  if (best.length === 0) return noneWeight('empty BooleanQuery');
  if (rewrite.kind === 'constant' || ctx.mapping.runtime.has(field)) {
    const terms = sortedTerms(best.map(({ term }) => term));
    return constantWeight((view) => docsOfTerms(view, field, terms), use.boost, plainText);
  }
  if (best.length > CLAUSES_MAX) throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
  const weigh = (one: FoundTerm, docFreq: number | null): Weight =>
    boostedWeight(
      termWeight(ctx.statistics, {
        field,
        term: one.term,
        isScored: use.isScored,
        boost: use.boost * one.boost,
        docFreq,
      }),
      one.boost,
    );
  return booleanWeight({
    must: [],
    filter: [],
    should: weightsOf(),
    mustNot: [],
    minimumShouldMatch: 1,
  });

  function weightsOf(): Weight[] {
    switch (rewrite.kind) {
      case 'scoring':
      case 'topScored':
        return best.map((one) => weigh(one, null));
      case 'topBlended': {
        const docFreq = Math.max(...best.map(({ term }) => ctx.statistics.term(field, term).docFreq));
        return best.map((one) => weigh(one, docFreq));
      }
      case 'topBoost':
        return best.map(({ term, boost }) =>
          constantWeight((view) => docsOfTerms(view, field, [term]), use.boost * boost),
        );
      case 'constant':
        return [];
      default:
        return unreachable(rewrite);
    }
  }
}
