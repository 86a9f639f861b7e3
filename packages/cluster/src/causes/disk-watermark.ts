/** Disks that are too full for another copy. */

import { named } from '../mends/finding.ts';
import { addNode } from '../mends/node-mends.ts';
import type { CopyCause } from './copy-case.ts';
import { fewerReplicas } from './too-many-copies.ts';

const THRESHOLD = 'cluster.routing.allocation.disk.threshold_enabled';

export const diskWatermark: CopyCause = {
  name: 'disk_watermark',
  explain: (copyCase) => {
    const nodes = copyCase.blockedBy('disk_threshold');
    const { copy, state } = copyCase;
    if (nodes.length === 0) return null;
    return {
      reason: `The disks of ${named(nodes)} are too full for copies of [${copy.index}]: ${copyCase.saidBy('disk_threshold')}`,
      mends: [
        addNode(state),
        {
          kind: 'atNode',
          command: null,
          text: `free space on the disks of ${named(nodes)}: copies follow within a minute`,
        },
        ...fewerReplicas(copyCase),
        // Last: a disk that is full loses writes.
        { kind: 'clusterSettings', persistent: { [THRESHOLD]: 'false' }, transient: {} },
      ],
    };
  },
};
