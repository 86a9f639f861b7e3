/**
 * Requests of `sampler` and `diversified_sampler`.
 */
import { parsingException, type ValueReader } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { readWhole } from '../../request/number-options.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export interface SamplerAggregation extends AggregationNode {
  readonly kind: 'sampler';
  /** Documents of a bucket that a shard hands on at most: those that match best. */
  readonly shardSize: number;
  /** Limit on documents that are alike; null: none. */
  readonly diversity: Diversity | null;
}

export interface Diversity {
  readonly source: ValuesSource;
  /** Documents with one value that are in a sample at most; may be below 1: then no document is. */
  readonly maxDocsPerValue: number;
  /** How texts are told apart; null: not said. Shards check it. */
  readonly executionHint: string | null;
}

const SHARD_SIZE_DEFAULT = 100;
const INT_MIN = -0x8000_0000;

export const parseSampler: AggregationParser<SamplerAggregation> = (named, options) => {
  const shardSize = options.integer('shard_size') ?? SHARD_SIZE_DEFAULT;
  const other = options.node.members.find(({ name }) => name !== 'shard_size');
  if (other !== undefined) {
    throw parsingException(`Unsupported property "${other.name}" for aggregation "${named.name}`, other.at);
  }
  return { ...named, kind: 'sampler', shardSize, diversity: null };
};

export const parseDiversifiedSampler: AggregationParser<SamplerAggregation> = (named, options) => {
  const source = parseValuesSource(options);
  const maxDocsPerValue = options.integer('max_docs_per_value') ?? 1;
  const executionHint = options.string('execution_hint');
  const shardSize = options.integer('shard_size') ?? SHARD_SIZE_DEFAULT;
  return { ...named, kind: 'sampler', shardSize, diversity: { source, maxDocsPerValue, executionHint } };
};

export function readSampler(r: ValueReader, named: NamedParts): SamplerAggregation {
  const shardSize = readWhole(r, 'shardSize', INT_MIN);
  return {
    ...named,
    kind: 'sampler',
    shardSize,
    diversity: r.has('diversity') ? readDiversity(r.object('diversity')) : null,
  };
}

function readDiversity(r: ValueReader): Diversity {
  return {
    source: readValuesSource(r.object('source')),
    maxDocsPerValue: readWhole(r, 'maxDocsPerValue', INT_MIN),
    executionHint: r.optionalString('executionHint'),
  };
}
