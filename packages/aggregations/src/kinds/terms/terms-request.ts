/**
 * Requests of `terms` and `rare_terms`.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { BY_KEY } from '../../request/bucket-order.ts';
import { readWhole } from '../../request/number-options.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { NamedParts } from '../../tree/aggregation-node.ts';
import { parseTermsChoice, readTermsChoice, type TermsChoice } from './terms-choice.ts';
import { type LimitedTerms, parseTermsLimits, readTermsLimits } from './terms-limits.ts';

export interface TermsAggregation extends LimitedTerms {
  readonly kind: 'terms';
  readonly source: ValuesSource;
  readonly choice: TermsChoice | null;
  /** How texts are told apart: by numbers that all segments share, or each by itself; null: not said. Shards check it. */
  readonly executionHint: string | null;
  /** Largest count of documents of a `rare_terms` bucket; null for `terms`. */
  readonly maxDocCount: number | null;
}

export const parseTerms: AggregationParser<TermsAggregation> = (named, options, context) => ({
  ...named,
  kind: 'terms',
  source: parseValuesSource(options),
  ...parseTermsLimits(named, options, context),
  choice: parseTermsChoice(options),
  executionHint: options.string('execution_hint'),
  maxDocCount: null,
});

const RARE_COUNT_MAX = 100;
const ALL_TERMS = 0x7fff_ffff;
const PRECISION_MIN = 0.00001;

/** Shards return all terms, to know which are rare over all shards; those of the fewest documents first. */
export const parseRareTerms: AggregationParser<TermsAggregation> = (named, options) => {
  const source = parseValuesSource(options);
  const maxDocCount = options.within('max_doc_count', () => {
    const value = options.integer('max_doc_count') ?? 1;
    if (value <= 0) {
      throw illegalArgument(`[max_doc_count] must be greater than 0. Found [${value}] in [${named.name}]`);
    }
    if (value <= RARE_COUNT_MAX) return value;
    throw illegalArgument(`[max_doc_count] must be smallerthan ${RARE_COUNT_MAX}in [${named.name}]`);
  });
  options.within('precision', () => {
    // Terms are counted exactly, whatever filter the precision asks for.
    const precision = options.number('precision');
    if (precision !== null && precision < PRECISION_MIN) {
      throw illegalArgument('[precision] must be greater than 0.00001');
    }
  });
  return {
    ...named,
    kind: 'terms',
    source,
    size: ALL_TERMS,
    shardSize: ALL_TERMS,
    minDocCount: 1,
    shardMinDocCount: 0,
    order: [{ by: 'count', path: '', isAscending: true }, BY_KEY],
    choice: parseTermsChoice(options),
    showsErrors: false,
    executionHint: null,
    collectMode: null,
    maxDocCount,
  };
};

export function readTerms(r: ValueReader, named: NamedParts): TermsAggregation {
  return {
    ...named,
    kind: 'terms',
    source: readValuesSource(r.object('source')),
    ...readTermsLimits(r),
    choice: r.optional('choice', readTermsChoice),
    executionHint: r.has('executionHint') ? r.string('executionHint') : null,
    maxDocCount: r.has('maxDocCount') ? readWhole(r, 'maxDocCount', 1) : null,
  };
}
