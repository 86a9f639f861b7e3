/** `concurrent_rebalance`: how many copies of the cluster may be on the move when one more is moved for the balance. */
import { type Decider, throttle, yes } from './decider.ts';

const SETTING = 'cluster.routing.allocation.cluster_concurrent_rebalance';

export const concurrentRebalance: Decider = {
  name: 'concurrent_rebalance',
  canRebalanceCluster: ({ rules, counts }) => {
    const max = rules.concurrentRebalances;
    if (max === -1) return yes(() => 'unlimited concurrent rebalances are allowed');
    const moving = counts.moving;
    return moving >= max
      ? throttle(
          () => `reached the limit of concurrently rebalancing shards [${moving}], cluster setting [${SETTING}=${max}]`,
        )
      : yes(() => `below threshold [${max}] for concurrent rebalances, current rebalance shard count [${moving}]`);
  },
};
