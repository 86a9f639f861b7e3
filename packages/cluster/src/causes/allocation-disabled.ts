/** `cluster.routing.allocation.enable` or `index.routing.allocation.enable` forbids the copy. */

import { resetSetting } from '../mends/setting-mends.ts';
import { isNeverStarted } from '../reading/resize-source.ts';
import type { CopyCause } from './copy-case.ts';

const OF_CLUSTER = 'cluster.routing.allocation.enable';
const OF_INDEX = 'index.routing.allocation.enable';

export const allocationDisabled: CopyCause = {
  name: 'allocation_disabled',
  explain: (copyCase) => {
    if (copyCase.blockedBy('enable').length === 0) return null;
    const { copy, index, state, context, settings } = copyCase;
    const kept = !copy.isPrimary
      ? 'replicas'
      : isNeverStarted(copy)
        ? 'new primaries'
        : 'primaries that have documents';
    const ofIndex = index.settings[OF_INDEX];
    if (ofIndex !== undefined) {
      return {
        reason: `The setting [${OF_INDEX}] of [${index.name}] is [${ofIndex}], which assigns no ${kept}`,
        mends: [{ kind: 'indexSettings', index: index.name, settings: { [OF_INDEX]: null } }],
      };
    }
    return {
      reason: `The cluster setting [${OF_CLUSTER}] is [${settings[OF_CLUSTER]}], which assigns no ${kept}`,
      mends: [resetSetting(state, context, OF_CLUSTER, 'all')],
    };
  },
};
