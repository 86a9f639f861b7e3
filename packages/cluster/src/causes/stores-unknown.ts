/** Nodes are still asked what they have on their disks. */
import type { CopyCause } from './copy-case.ts';

export const storesUnknown: CopyCause = {
  name: 'stores_unknown',
  explain: ({ copy, status }) =>
    status !== 'fetching_shard_data'
      ? null
      : {
          reason: `The nodes are being asked which of them have copies of [${copy.index}] on their disks`,
          mends: [{ kind: 'wait', index: copy.index, until: 'their answers come within seconds' }],
        },
};
