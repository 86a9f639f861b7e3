/** Recoveries that run now, and their limits, keep the copy waiting; or a limit of 0, which keeps it for ever. */

import { resetSettings } from '../mends/setting-mends.ts';
import type { CopyCause } from './copy-case.ts';

const LIMITS = [
  'cluster.routing.allocation.node_concurrent_incoming_recoveries',
  'cluster.routing.allocation.node_concurrent_outgoing_recoveries',
  'cluster.routing.allocation.node_concurrent_recoveries',
  'cluster.routing.allocation.node_initial_primaries_recoveries',
];

export const throttled: CopyCause = {
  name: 'throttled',
  explain: (copyCase) => {
    const { copy, status, settings, state, context } = copyCase;
    if (status !== 'deciders_throttled') return null;
    const zero = LIMITS.filter((name) => settings[name] === '0');
    if (zero.length > 0) {
      return {
        reason: `No copy may recover: the cluster setting [${zero[0]}] is [0]`,
        mends: [
          resetSettings(
            state,
            context,
            zero.map((name) => [name, '2']),
          ),
        ],
      };
    }
    return {
      reason: `Copies of [${copy.index}] wait for recoveries that run now`,
      mends: [{ kind: 'wait', index: copy.index, until: 'they begin as others end' }],
    };
  },
};
