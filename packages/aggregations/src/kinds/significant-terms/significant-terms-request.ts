/**
 * Requests of `significant_terms`.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import { parseQuery, type Query, readQuery } from '@shoal/query';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { notNegative, readWhole } from '../../request/number-options.ts';
import type { OptionReader } from '../../request/option-reader.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';
import { parseTermsChoice, readTermsChoice, type TermsChoice } from '../terms/terms-choice.ts';
import { parseSignificance, readSignificance, type TermSignificance } from './term-significance.ts';

export interface SignificantTermsAggregation extends AggregationNode {
  readonly kind: 'significantTerms';
  readonly source: ValuesSource;
  readonly size: number;
  /** Buckets a shard returns at most. */
  readonly shardSize: number;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  readonly choice: TermsChoice | null;
  /** How texts are told apart; null: not said. Shards check it. */
  readonly executionHint: string | null;
  /** Documents that a bucket is compared with; null: all of the index. */
  readonly background: Query | null;
  readonly significance: TermSignificance;
}

const SIZE_DEFAULT = 10;
const MIN_DOC_COUNT_DEFAULT = 3;
const INT_MAX = 0x7fff_ffff;

export const parseSignificantTerms: AggregationParser<SignificantTermsAggregation> = (named, options) => {
  const source = parseValuesSource(options);
  const size = options.within('size', () => positive(options, 'size', named.name)) ?? SIZE_DEFAULT;
  const given = options.within('shard_size', () => positive(options, 'shard_size', named.name));
  const background = options.take('background_filter');
  const minDocCount = options.within('min_doc_count', () =>
    notNegative(options, 'min_doc_count', MIN_DOC_COUNT_DEFAULT, named.name, 'minDocCount'),
  );
  const shardMinDocCount = options.within('shard_min_doc_count', () =>
    notNegative(options, 'shard_min_doc_count', 0, named.name, 'shardMinDocCount'),
  );
  // A shard cannot know which terms are significant over all shards: it returns far more than are shown.
  const suggested = Math.min(2 * Math.trunc(size * 1.5 + 10), INT_MAX);
  return {
    ...named,
    kind: 'significantTerms',
    source,
    size,
    shardSize: Math.max(size, given ?? suggested),
    minDocCount,
    shardMinDocCount: Math.min(shardMinDocCount, minDocCount),
    choice: parseTermsChoice(options),
    executionHint: options.string('execution_hint'),
    background: background && parseQuery(background),
    significance: parseSignificance(options),
  };
};

function positive(options: OptionReader, option: 'size' | 'shard_size', name: string): number | null {
  const value = options.integer(option);
  if (value === null || value > 0) return value;
  const words = option === 'size' ? '[size] must be greater than 0.' : '[shardSize] must be greater than  0.';
  throw illegalArgument(`${words} Found [${value}] in [${name}]`);
}

export function readSignificantTerms(r: ValueReader, named: NamedParts): SignificantTermsAggregation {
  return {
    ...named,
    kind: 'significantTerms',
    source: readValuesSource(r.object('source')),
    size: readWhole(r, 'size', 1),
    shardSize: readWhole(r, 'shardSize', 1),
    minDocCount: readWhole(r, 'minDocCount', 0),
    shardMinDocCount: readWhole(r, 'shardMinDocCount', 0),
    choice: r.optional('choice', readTermsChoice),
    executionHint: r.optionalString('executionHint'),
    background: r.has('background') ? readQuery(r.object('background')) : null,
    significance: readSignificance(r.object('significance')),
  };
}
