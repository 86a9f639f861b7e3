/** The cluster manager was started not to assign replicas. */
import { REPLICAS_UNASSIGNED } from '../allocation/deciders.ts';
import type { CopyCause } from './copy-case.ts';

export const replicasNotAssigned: CopyCause = {
  name: 'replicas_not_assigned',
  explain: ({ copy, context }) =>
    copy.isPrimary || context.assignsReplicas
      ? null
      : {
          reason: `The cluster manager assigns no replicas: ${REPLICAS_UNASSIGNED}`,
          mends: [{ kind: 'indexSettings', index: copy.index, settings: { 'index.number_of_replicas': 0 } }],
        },
};
