/**
 * Requests of `random_sampler`.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { readWhole } from '../../request/number-options.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export interface RandomSamplerAggregation extends AggregationNode {
  readonly kind: 'randomSampler';
  /** Share of the documents that is looked at; above 0 to 0.5, or 1: all of them. */
  readonly probability: number;
  /** The same seed draws the same documents of a shard that has not changed. */
  readonly seed: number;
  /** Draws the same from every shard, whatever its index; null: each shard draws by itself. */
  readonly shardSeed: number | null;
}

/** Seed of requests that give none, shown in their answers as any other. */
const SEED_DEFAULT = 42;
const INT_MIN = -0x8000_0000;
/** Most that may be left out for a draw to be quicker than a look at all documents. */
const PROBABILITY_MAX = 0.5;

export const parseRandomSampler: AggregationParser<RandomSamplerAggregation> = (named, options) => {
  const probability = options.number('probability');
  if (probability === null) throw illegalArgument('Required [probability]');
  if (!(probability > 0)) throw illegalArgument('[probability] must be greater than 0.');
  if (probability > PROBABILITY_MAX && probability !== 1) {
    throw illegalArgument(`[probability] must be between 0.0 and 0.5 or exactly 1.0, was [${probability}]`);
  }
  const seed = options.integer('seed') ?? SEED_DEFAULT;
  const shardSeed = options.integer('shard_seed');
  return { ...named, kind: 'randomSampler', probability, seed, shardSeed };
};

export function readRandomSampler(r: ValueReader, named: NamedParts): RandomSamplerAggregation {
  const probability = r.number('probability');
  if (!(probability > 0 && probability <= 1)) r.refuse('probability', 'a share of the documents');
  return {
    ...named,
    kind: 'randomSampler',
    probability,
    seed: readWhole(r, 'seed', INT_MIN),
    shardSeed: r.has('shardSeed') ? readWhole(r, 'shardSeed', INT_MIN) : null,
  };
}
