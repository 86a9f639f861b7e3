/**
 * Constant-score weight of a clause whose documents are found in steps before the query runs.
 */

import type { Weight } from '../weight/weight.ts';
import { cachedPreparedWeight, isCached } from './cached-filters.ts';
import type { ClauseUse } from './clause-use.ts';
import type { CompileContext } from './compile-context.ts';
import { docsInSteps, type FindInSteps } from './prepared-docs.ts';

/** A `cachedPreparedWeight` whose documents are found in steps. */
export function preparedWeight(
  ctx: CompileContext,
  key: string | null,
  find: FindInSteps,
  use: ClauseUse,
  text?: string,
): Weight {
  const docs = docsInSteps(ctx.prepared, find, (view) => key !== null && isCached(view, key));
  return cachedPreparedWeight(ctx, key, docs, use, text);
}
