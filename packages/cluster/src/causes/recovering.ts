/** A copy that is on its way: it has a node, which is starting it. */
import type { CopyCause } from './copy-case.ts';

export const recovering: CopyCause = {
  name: 'recovering',
  explain: ({ copy, state }) => {
    if (copy.state !== 'INITIALIZING') return null;
    const node = state.nodes.get(copy.nodeId ?? '')?.name ?? copy.nodeId;
    const from = copy.isPrimary ? SOURCES[copy.recoverySource] : 'from its primary';
    return {
      reason: `Copies of [${copy.index}] are starting on [${node}], ${from}`,
      mends: [{ kind: 'wait', index: copy.index, until: 'GET /_cat/recovery shows how far they are' }],
    };
  },
};

const SOURCES = {
  EMPTY_STORE: 'empty',
  EXISTING_STORE: 'from its disk',
  LOCAL_SHARDS: 'from the index that it is made of',
  SNAPSHOT: 'from a snapshot',
  PEER: 'from its primary',
} as const;
