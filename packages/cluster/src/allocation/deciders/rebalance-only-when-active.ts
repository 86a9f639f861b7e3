/** `rebalance_only_when_active`: a shard is not moved for the balance while one of its copies is missing. */
import { withoutTargets } from '@shoal/cluster-state';
import { isActive } from '../../reading/active-copy.ts';
import { type Decider, no, yes } from './decider.ts';

export const rebalanceOnlyWhenActive: Decider = {
  name: 'rebalance_only_when_active',
  canRebalance: ({ shardCopies }) =>
    withoutTargets(shardCopies).every(isActive)
      ? yes(() => 'rebalancing is allowed as all copies of this shard are active')
      : no(() => 'rebalancing is not allowed until all copies of this shard are active'),
};
