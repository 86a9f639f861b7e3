/** `same_shard`: never two copies of a shard on one node, nor, where it is asked for, on one host. */
import type { ShardRouting } from '@shoal/cluster-state';
import { type Decider, no, yes } from './decider.ts';

const HOST_SETTING = 'cluster.routing.allocation.same_shard.host';

export const sameShard: Decider = {
  name: 'same_shard',
  bindsExistingPrimaries: true,
  canAllocate: ({ state, rules, shardCopies, copy, node }) => {
    const other = shardCopies.find((c) => c !== copy && c.nodeId === node.id);
    if (other !== undefined) {
      return no(() => `a copy of this shard is already allocated to this node [${copyText(other)}]`);
    }
    if (copy.nodeId === node.id) {
      return no(() => `this shard is already allocated to this node [${copyText(copy)}]`);
    }
    if (!rules.isOneCopyPerHost) return yes(() => 'this node does not hold a copy of this shard');
    const { host } = node.address;
    const neighbour = shardCopies
      .filter((c) => c !== copy && c.nodeId !== null)
      .map(({ nodeId }) => state.nodes.get(nodeId ?? ''))
      .find((holder) => holder?.address.host === host);
    return neighbour === undefined
      ? yes(() => 'this node does not hold a copy of this shard')
      : no(
          () =>
            `a copy of this shard is already allocated to host address [${host}], on node [${neighbour.id}], and [${HOST_SETTING}] is [true] which forbids more than one node on this host from holding a copy of this shard`,
        );
  },
};

/** A copy as Elasticsearch writes it in texts. */
function copyText(copy: ShardRouting): string {
  const { index, shard, nodeId, isPrimary, state, allocationId } = copy;
  return `[${index}][${shard}], node[${nodeId}], [${isPrimary ? 'P' : 'R'}], s[${state}], a[id=${allocationId}]`;
}
