/**
 * Constant-score weight of a clause whose documents are found in steps before the query runs.
 */

import { runSteps } from '@shoal/core';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { Weight } from '../weight/weight.ts';
import { cachedPreparedWeight, isCached } from './cached-filters.ts';
import type { ClauseUse } from './clause-use.ts';
import type { CompileContext } from './compile-context.ts';
import type { FindInSteps } from './prepared-docs.ts';

/** A `cachedPreparedWeight` whose documents are found in steps. */
export function preparedWeight(
  ctx: CompileContext,
  key: string | null,
  find: FindInSteps,
  use: ClauseUse,
  text?: string,
): Weight {
  const docs =
    ctx.prepared === undefined
      ? (view: SegmentView) => runSteps(find(view))()
      : ctx.prepared.add(find, (view) => key !== null && isCached(view, key));
  return cachedPreparedWeight(ctx, key, docs, use, text);
}
