/**
 * pinned on a shard: each named document has a constant score above all that the organic query may give, the first the highest.
 */
import { assert } from '@shoal/core';
import type { PinnedQuery } from '@shoal/query';
import { idsWeight } from '../../compile/compile-term-level.ts';
import { isNamedIndex } from '../../metadata/metadata-queries.ts';
import { disMaxWeight } from '../../scorers/boolean-weight.ts';
import type { QueryBehaviour } from '../query-behaviour.ts';
import { cappedWeight } from './capped-weight.ts';

/** Highest score of an organic match, 2^127: the floats of the next binade are for pinned documents. */
const ORGANIC_MAX = 2 ** 127;
/** Distance of the floats from there to 2^128. */
const STEP = 2 ** 104;

/** Score of the pinned document at a position, before the boost. */
function pinnedScore(position: number, count: number): number {
  assert(position < count, `position ${position} of ${count} pinned documents`);
  return ORGANIC_MAX + STEP * (count + 1 - position);
}

export const pinned: QueryBehaviour<PinnedQuery> = {
  compile(ctx, { docs, organic }, use, compileInner) {
    const capped = cappedWeight(compileInner(ctx, organic, use), ORGANIC_MAX);
    // The score goes by the position among all, so that the order holds over indices.
    const weights = docs.flatMap(({ index, id }, at) => {
      if (index !== null && !isNamedIndex(ctx, index)) return [];
      const boost = Math.fround(pinnedScore(at, docs.length) * use.boost);
      return [idsWeight(ctx, [id], { ...use, boost })];
    });
    return weights.length === 0 ? capped : disMaxWeight([capped, ...weights], 0);
  },
  describe: ({ docs, organic }, textOf) => ({
    type: 'DisjunctionMaxQuery',
    text: `(${[`Capped(${textOf(organic)})`, ...docs.map(({ id }) => `ConstantScore(_id:${id})`)].join(' | ')})`,
  }),
  mark: ({ organic }, _sink, markInner) => markInner(organic),
};
