/** A copy failed to start so often that it is left alone. */
import { maxRetries, retryWaitMs } from '../allocation/rules/allocation-retry.ts';
import type { CopyCause } from './copy-case.ts';

export const retriesExhausted: CopyCause = {
  name: 'retries_exhausted',
  explain: ({ copy, state, context }) =>
    retryWaitMs(state, copy, context.nowMs) !== null
      ? null
      : {
          reason: `Copies of [${copy.index}] failed to start ${maxRetries(state, copy.index)} times, and are not tried again by themselves; the last time: ${copy.unassigned?.details ?? 'no reason is known'}`,
          mends: [{ kind: 'retryFailed' }],
        },
};
