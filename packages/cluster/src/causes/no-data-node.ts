/** There is no node that could hold a shard. */

import { addNode } from '../mends/node-mends.ts';
import type { CopyCause } from './copy-case.ts';

export const noDataNode: CopyCause = {
  name: 'no_data_node',
  explain: ({ round, state }) =>
    round.nodes.length > 0 ? null : { reason: 'No data node is in the cluster', mends: [addNode(state)] },
};
