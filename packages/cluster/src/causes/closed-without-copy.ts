/** Replicas of a closed index: they are taken from disks as they lie, and none lies there. */
import type { CopyCause } from './copy-case.ts';

export const closedWithoutCopy: CopyCause = {
  name: 'closed_without_copy',
  explain: ({ copy, index, status, candidates }) => {
    if (copy.isPrimary || index.state !== 'close') return null;
    if (status !== 'no_valid_shard_copy' && !(status === 'deciders_no' && candidates.length === 0)) return null;
    return {
      reason: `[${index.name}] is closed, and a closed index builds no new copies: no other node has one that is in sync`,
      mends: [
        { kind: 'openIndex', index: index.name },
        {
          kind: 'indexSettings',
          index: index.name,
          settings: { 'index.number_of_replicas': 0 },
        },
      ],
    };
  },
};
