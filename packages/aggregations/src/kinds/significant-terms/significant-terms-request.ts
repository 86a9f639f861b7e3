/**
 * Requests of `significant_terms`, and the options that `significant_text` shares.
 */
import { illegalArgument, ValueReader } from '@shoal/core';
import { parseQuery, type Query, readQuery } from '@shoal/query';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { notNegative, readWhole } from '../../request/number-options.ts';
import type { OptionReader } from '../../request/option-reader.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';
import { parseTermsChoice, readTermsChoice, type TermsChoice } from '../terms/terms-choice.ts';
import { parseSignificance, readSignificance, type TermSignificance } from './term-significance.ts';

/** Where words come from that are significant. */
export interface SignificantText {
  /** Paths of the texts in the source of a document; at least one. */
  readonly paths: readonly string[];
  /** Passages that other documents had before are left out. */
  readonly skipsDuplicates: boolean;
}

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
  /** Terms are the words of texts; null for those of a column. */
  readonly text: SignificantText | null;
}

const SIZE_DEFAULT = 10;
const MIN_DOC_COUNT_DEFAULT = 3;
const INT_MAX = 0x7fff_ffff;

export const parseSignificantTerms: AggregationParser<SignificantTermsAggregation> = (named, options) => ({
  ...named,
  kind: 'significantTerms',
  source: parseValuesSource(options),
  ...parseSignificanceLimits(options, named.name),
  executionHint: options.string('execution_hint'),
  text: null,
});

type SignificanceLimits = Omit<
  SignificantTermsAggregation,
  keyof AggregationNode | 'source' | 'executionHint' | 'text'
>;

/** Which terms are shown, and what they are compared with. */
export function parseSignificanceLimits(options: OptionReader, name: string): SignificanceLimits {
  const size = options.within('size', () => positive(options, 'size', name)) ?? SIZE_DEFAULT;
  const given = options.within('shard_size', () => positive(options, 'shard_size', name));
  const background = options.take('background_filter');
  const minDocCount = options.within('min_doc_count', () =>
    notNegative(options, 'min_doc_count', MIN_DOC_COUNT_DEFAULT, name, 'minDocCount'),
  );
  const shardMinDocCount = options.within('shard_min_doc_count', () =>
    notNegative(options, 'shard_min_doc_count', 0, name, 'shardMinDocCount'),
  );
  // A shard cannot know which terms are significant over all shards: it returns far more than are shown.
  const suggested = Math.min(2 * Math.trunc(size * 1.5 + 10), INT_MAX);
  return {
    size,
    shardSize: Math.max(size, given ?? suggested),
    minDocCount,
    shardMinDocCount: Math.min(shardMinDocCount, minDocCount),
    choice: parseTermsChoice(options),
    background: background && parseQuery(background),
    significance: parseSignificance(options),
  };
}

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
    text: r.has('text') ? readText(r.object('text')) : null,
  };
}

/** Most paths of a message. */
const PATHS_MAX = 1_000;

function readText(r: ValueReader): SignificantText {
  const paths = r.list('paths', ValueReader.asString, PATHS_MAX);
  if (paths.length === 0) r.refuse('paths', 'at least one path');
  return { paths, skipsDuplicates: r.boolean('skipsDuplicates') };
}
