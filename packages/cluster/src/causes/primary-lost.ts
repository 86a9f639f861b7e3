/** No node of the cluster has a copy of the primary that is in sync. */

import { departedText } from '../mends/departed-node.ts';
import { named } from '../mends/finding.ts';
import type { Mend } from '../mends/mend.ts';
import type { CopyCause } from './copy-case.ts';
import { lastResorts, staleHolders } from './last-resorts.ts';

export const primaryLost: CopyCause = {
  name: 'primary_lost',
  explain: (copyCase) => {
    const { copy, status } = copyCase;
    if (!copy.isPrimary || status !== 'no_valid_shard_copy') return null;
    const stale = staleHolders(copyCase).map(({ name }) => name);
    const gone = copyCase.departed;
    const back: readonly Mend[] = gone === null ? [] : [{ kind: 'startNode', node: gone }];
    const where =
      gone === null
        ? 'no node of the cluster has it on its disk'
        : `the ${departedText(gone)}, which had it last, is not in the cluster`;
    const older = stale.length === 0 ? '' : `; ${named(stale)} has an older copy, which lacks acknowledged writes`;
    return {
      reason: `No copy of a shard of [${copy.index}] that has every acknowledged write is left: ${where}${older}`,
      mends: [...back, ...lastResorts(copyCase)],
    };
  },
};
