/** `node_version`: files are never sent to a node of an older version, which might not read them. */
import { versionId } from '@shoal/core';
import { type Decider, no, yes } from './decider.ts';

export const nodeVersion: Decider = {
  name: 'node_version',
  canAllocate: ({ state, copy, shardCopies, node }) => {
    const from = state.nodes.get((copy.isPrimary ? copy.nodeId : shardCopies[0]?.nodeId) ?? '');
    if (from === undefined) {
      return copy.isPrimary
        ? yes(() => 'the primary shard is new or already existed on the node')
        : yes(() => 'no active primary shard yet');
    }
    const isOlder = versionId(node.version) < versionId(from.version);
    if (copy.isPrimary) {
      return isOlder
        ? no(
            () =>
              `cannot relocate primary shard from a node with version [${from.version}] to a node with older version [${node.version}]`,
          )
        : yes(
            () =>
              `can relocate primary shard from a node with version [${from.version}] to a node with equal-or-newer version [${node.version}]`,
          );
    }
    return isOlder
      ? no(
          () =>
            `cannot allocate replica shard to a node with version [${node.version}] since this is older than the primary version [${from.version}]`,
        )
      : yes(
          () =>
            `can allocate replica shard to a node with version [${node.version}] since this is equal-or-newer than the primary version [${from.version}]`,
        );
  },
};
