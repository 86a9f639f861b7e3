/** The only copy that has every write is there, and damaged. */

import type { CopyCause } from './copy-case.ts';
import { lastResorts } from './last-resorts.ts';

/** Said by whoever found a file that is not what was written. */
const DAMAGE = /is damaged|corrupt/i;

export const damaged: CopyCause = {
  name: 'damaged',
  explain: (copyCase) => {
    const { copy } = copyCase;
    const details = copy.unassigned?.details ?? '';
    if (!copy.isPrimary || !DAMAGE.test(details)) return null;
    return {
      reason: `The only copy of a shard of [${copy.index}] is damaged on its disk: ${details}`,
      mends: lastResorts(copyCase),
    };
  },
};
