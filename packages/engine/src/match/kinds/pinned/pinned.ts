/**
 * pinned on a shard: each id has a constant score above all that the organic query may give, the first the highest.
 */
import { assert } from '@shoal/core';
import type { PinnedQuery } from '@shoal/query';
import { idsWeight } from '../../compile/compile-term-level.ts';
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
  compile(ctx, { ids, organic }, use, compileInner) {
    const capped = cappedWeight(compileInner(ctx, organic, use), ORGANIC_MAX);
    const weights = ids.map((id, at) => {
      const boost = Math.fround(pinnedScore(at, ids.length) * use.boost);
      return idsWeight(ctx, [id], { ...use, boost });
    });
    return weights.length === 0 ? capped : disMaxWeight([capped, ...weights], 0);
  },
  describe: ({ ids, organic }, textOf) => ({
    type: 'DisjunctionMaxQuery',
    text: `(${[`Capped(${textOf(organic)})`, ...ids.map((id) => `ConstantScore(_id:${id})`)].join(' | ')})`,
  }),
  mark: ({ organic }, _sink, markInner) => markInner(organic),
};
