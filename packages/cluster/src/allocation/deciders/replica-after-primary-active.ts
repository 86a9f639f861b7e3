/** `replica_after_primary_active`: a replica recovers from its primary, which must be there. */
import { isPrimaryActive } from '../../reading/active-copy.ts';
import { type Decider, no, yes } from './decider.ts';

export const replicaAfterPrimaryActive: Decider = {
  name: 'replica_after_primary_active',
  canAllocate: ({ copy, shardCopies }) => {
    if (copy.isPrimary) return yes(() => 'shard is primary and can be allocated');
    return isPrimaryActive(shardCopies)
      ? yes(() => 'primary shard for this replica is already active')
      : no(() => 'primary shard for this replica is not yet active');
  },
};
