/** `cluster_rebalance`: which copies of the whole cluster must be active before one is moved for the balance. */
import { type Decider, type Judgement, no, yes } from './decider.ts';

const SETTING = 'cluster.routing.allocation.allow_rebalance';

export const clusterRebalance: Decider = {
  name: 'cluster_rebalance',
  canRebalanceCluster: ({ rules, counts }): Judgement => {
    const value = rules.allowRebalance;
    const refused = (what: string): Judgement =>
      no(() => `the cluster has ${what} shards and cluster setting [${SETTING}] is set to [${value}]`);
    switch (value) {
      case 'always':
        return yes(() => 'all shards may be rebalanced at any time');
      case 'indices_primaries_active':
        if (counts.unassignedPrimaries > 0) return refused('unassigned primary');
        return counts.startingPrimaries > 0 ? refused('inactive primary') : yes(() => 'all primary shards are active');
      default:
        if (counts.unassigned > 0) return refused('unassigned');
        return counts.starting > 0 ? refused('inactive') : yes(() => 'all shards are active');
    }
  },
};
