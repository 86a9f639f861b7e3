/** Delayed allocation: the node of a replica left, and may come back with what it had. */
import { delayLeftMs } from '../allocation/allocation-delay.ts';
import { departedText } from '../mends/departed-node.ts';
import type { Mend } from '../mends/mend.ts';
import type { CopyCause } from './copy-case.ts';

const DELAY = 'index.unassigned.node_left.delayed_timeout';

export const delayed: CopyCause = {
  name: 'delayed',
  explain: ({ copy, state, context, status, round, shardCopies, departed }) => {
    if (status !== 'delayed_allocation') return null;
    const seconds = Math.ceil(delayLeftMs(state, copy, context.nowMs) / 1_000);
    const back: readonly Mend[] = departed === null ? [] : [{ kind: 'startNode', node: departed }];
    const without: Mend = { kind: 'indexSettings', index: copy.index, settings: { [DELAY]: '0s' } };
    const isElsewhere = round.nodes.some(({ id }) => !shardCopies.some((other) => other.nodeId === id));
    return {
      reason: `The ${departed === null ? 'node' : departedText(departed)} that held copies of [${copy.index}] left, and is waited for for another ${seconds}s [${DELAY}]`,
      mends: [
        ...back,
        ...(isElsewhere ? [without] : []),
        { kind: 'wait', index: copy.index, until: 'afterwards other nodes get the copies' },
      ],
    };
  },
};
