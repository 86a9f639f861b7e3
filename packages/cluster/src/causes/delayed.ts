/** Delayed allocation: the node of a replica left, and may come back with what it had. */
import { delayLeftMs } from '../allocation/allocation-delay.ts';
import type { Mend } from '../mends/mend.ts';
import type { CopyCause } from './copy-case.ts';

const DELAY = 'index.unassigned.node_left.delayed_timeout';

export const delayed: CopyCause = {
  name: 'delayed',
  explain: ({ copy, state, context, status, round, shardCopies }) => {
    if (status !== 'delayed_allocation') return null;
    const seconds = Math.ceil(delayLeftMs(state, copy, context.nowMs) / 1_000);
    const nodeId = copy.unassigned?.lastNodeId ?? null;
    const back: readonly Mend[] = nodeId === null ? [] : [{ kind: 'startNode', nodeId }];
    const without: Mend = { kind: 'indexSettings', index: copy.index, settings: { [DELAY]: '0s' } };
    const isElsewhere = round.nodes.some(({ id }) => !shardCopies.some((other) => other.nodeId === id));
    return {
      reason: `The node [${nodeId}] that held copies of [${copy.index}] left, and is waited for for another ${seconds}s [${DELAY}]`,
      mends: [
        ...back,
        ...(isElsewhere ? [without] : []),
        { kind: 'wait', index: copy.index, until: 'afterwards other nodes get the copies' },
      ],
    };
  },
};
