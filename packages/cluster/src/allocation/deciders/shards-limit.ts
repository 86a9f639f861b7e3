/** `shards_limit`: how many copies a node has at most, in all and of an index. */
import { type Decider, type DeciderInput, type Judgement, no, yes } from './decider.ts';

const CLUSTER_SETTING = 'cluster.routing.allocation.total_shards_per_node';
const INDEX_SETTING = 'index.routing.allocation.total_shards_per_node';

const NO_LIMITS = noLimits(-1, -1);

export const shardsLimit: Decider = {
  name: 'shards_limit',
  canAllocate: (input) => within(input, 1),
  canRemain: (input) => within(input, 0),
  givesAway: ({ rules, counts, node }) => rules.shardsPerNodeMax > 0 && counts.onNode(node.id) > rules.shardsPerNodeMax,
};

function noLimits(ofIndex: number, ofCluster: number): Judgement {
  return yes(() => `total shard limits are disabled: [index: ${ofIndex}, cluster: ${ofCluster}] <= 0`);
}

/** @param added copies that the node would have more */
function within({ rules, counts, copy, node }: DeciderInput, added: 0 | 1): Judgement {
  const ofCluster = rules.shardsPerNodeMax;
  const ofIndex = rules.indexShardsPerNodeMax(copy.index);
  if (ofCluster <= 0 && ofIndex <= 0) {
    return ofCluster === -1 && ofIndex === -1 ? NO_LIMITS : noLimits(ofIndex, ofCluster);
  }
  const onNode = counts.onNode(node.id);
  if (ofCluster > 0 && onNode + added > ofCluster) {
    return no(
      () => `too many shards [${onNode}] allocated to this node, cluster setting [${CLUSTER_SETTING}=${ofCluster}]`,
    );
  }
  const ofIndexOnNode = counts.ofIndex(node.id, copy.index);
  if (ofIndex > 0 && ofIndexOnNode + added > ofIndex) {
    return no(
      () =>
        `too many shards [${ofIndexOnNode}] allocated to this node for index [${copy.index}], index setting [${INDEX_SETTING}=${ofIndex}]`,
    );
  }
  return yes(
    () =>
      `the shard count [${ofIndexOnNode}] for this node is under the index limit [${ofIndex}] and cluster level node limit [${ofCluster}]`,
  );
}
