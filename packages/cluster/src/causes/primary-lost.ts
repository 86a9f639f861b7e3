/** No node of the cluster has a copy of the primary that is in sync. */

import { named } from '../mends/finding.ts';
import type { Mend } from '../mends/mend.ts';
import type { CopyCause } from './copy-case.ts';
import { lastResorts, staleHolders } from './damaged.ts';

export const primaryLost: CopyCause = {
  name: 'primary_lost',
  explain: (copyCase) => {
    const { copy, status } = copyCase;
    if (!copy.isPrimary || status !== 'no_valid_shard_copy') return null;
    const stale = staleHolders(copyCase).map(({ name }) => name);
    const lastNodeId = copy.unassigned?.lastNodeId ?? null;
    const isAway = lastNodeId !== null && !copyCase.state.nodes.has(lastNodeId);
    const back: readonly Mend[] = isAway ? [{ kind: 'startNode', nodeId: lastNodeId }] : [];
    const where = isAway
      ? `the node with the id [${lastNodeId}], which had it last, is not in the cluster`
      : 'no node of the cluster has it on its disk';
    const older = stale.length === 0 ? '' : `; ${named(stale)} has an older copy, which lacks acknowledged writes`;
    return {
      reason: `No copy of a shard of [${copy.index}] that has every acknowledged write is left: ${where}${older}`,
      mends: [...back, ...lastResorts(copyCase)],
    };
  },
};
