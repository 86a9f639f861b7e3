/** A copy failed to start, and is tried again by itself after a while. */
import { retryWaitMs } from '../allocation/rules/allocation-retry.ts';
import type { CopyCause } from './copy-case.ts';

export const retryPending: CopyCause = {
  name: 'retry_pending',
  explain: ({ copy, state, context }) => {
    const waitMs = retryWaitMs(state, copy, context.nowMs);
    if (waitMs === null || waitMs === 0) return null;
    return {
      reason: `Copies of [${copy.index}] failed to start, and are tried again by themselves: ${copy.unassigned?.details ?? 'no reason is known'}`,
      mends: [
        { kind: 'wait', index: copy.index, until: `the next attempt begins in ${Math.ceil(waitMs)}ms` },
        { kind: 'retryFailed' },
      ],
    };
  },
};
