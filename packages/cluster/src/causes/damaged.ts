/** The only copy that has every write is there, and damaged. */

import type { Mend } from '../mends/mend.ts';
import type { CopyCase, CopyCause } from './copy-case.ts';

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

/** What is left where no copy has every acknowledged write. */
export function lastResorts({ copy, state }: CopyCase): readonly Mend[] {
  const snapshots: readonly Mend[] =
    state.metadata.repositories.size === 0 ? [] : [{ kind: 'findSnapshot', index: copy.index }];
  return [...snapshots, { kind: 'deleteIndex', index: copy.index }];
}
