/** `index.routing.allocation.total_shards_per_node` is reached on every node that is left. */

import { named } from '../mends/finding.ts';
import type { CopyCause } from './copy-case.ts';
import { fewerReplicas } from './too-many-copies.ts';

const LIMIT = 'index.routing.allocation.total_shards_per_node';

export const shardsLimit: CopyCause = {
  name: 'shards_limit',
  explain: (copyCase) => {
    const nodes = copyCase.blockedBy('shards_limit');
    const { index, round } = copyCase;
    const limit = index.settings[LIMIT];
    if (nodes.length === 0 || limit === undefined) return null;
    const copies = index.numberOfShards * (1 + index.numberOfReplicas);
    const enough = Math.max(Number(limit) + 1, Math.ceil(copies / round.nodes.length));
    return {
      reason: `The setting [${LIMIT}] of [${index.name}] is [${limit}], and ${named(nodes)} ${nodes.length === 1 ? 'has' : 'have'} as many of its copies`,
      mends: [{ kind: 'indexSettings', index: index.name, settings: { [LIMIT]: enough } }, ...fewerReplicas(copyCase)],
    };
  },
};
