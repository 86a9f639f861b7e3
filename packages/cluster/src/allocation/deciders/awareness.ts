/** `awareness`: the copies of a shard are spread over the values of attributes of nodes, such as the zones they are in. */
import { type DiscoveryNode, withoutTargets } from '@shoal/cluster-state';
import { type Decider, type DeciderInput, type Judgement, no, yes } from './decider.ts';

const SETTING = 'cluster.routing.allocation.awareness.attributes';

export const awareness: Decider = {
  name: 'awareness',
  canAllocate: (input) => isSpread(input),
  canRemain: (input) => isSpread(input),
};

function isSpread(input: DeciderInput): Judgement {
  const { attributes } = input.rules.awareness;
  if (attributes.length === 0) {
    return yes(() => `allocation awareness is not enabled, set cluster setting [${SETTING}] to enable it`);
  }
  const { copy, state, node } = input;
  if (state.metadata.indices.get(copy.index)?.settings['index.auto_expand_replicas']?.endsWith('-all') === true) {
    return yes(() => 'allocation awareness is ignored, this index is set to auto-expand to all nodes');
  }
  for (const attribute of attributes) {
    const value = node.attributes[attribute];
    if (value === undefined) {
      return no(
        () =>
          `node does not contain the awareness attribute [${attribute}]; required attributes cluster setting [${SETTING}=${attributes.join(',')}]`,
      );
    }
    const refusal = tooMany(input, attribute, value);
    if (refusal !== null) return refusal;
  }
  return yes(() => 'node meets all awareness attribute requirements');
}

/** null: so many copies of the shard may be on nodes with the value. */
function tooMany(
  { rules, shardCopies, copy, state }: DeciderInput,
  attribute: string,
  value: string,
): Judgement | null {
  const zoneOf = (of: DiscoveryNode | undefined): string | undefined => of?.attributes[attribute];
  const actual = rules.awarenessValues(attribute);
  const forced = rules.awareness.forced.get(attribute) ?? [];
  const values = new Set([...actual, ...forced]);
  const count = withoutTargets(shardCopies).length;
  const max = Math.ceil(count / values.size);
  // A copy on the move counts where it goes, the one in question where it is asked about.
  const others = shardCopies.filter((c) => c !== copy && c.state !== 'RELOCATING' && c.nodeId !== null);
  const here = 1 + others.filter(({ nodeId }) => zoneOf(state.nodes.get(nodeId ?? '')) === value).length;
  if (here <= max) return null;
  return no(() => {
    const forcedText =
      forced.length === 0 ? 'no forced awareness' : `[${[...forced].sort().join(', ')}] from forced awareness`;
    return `there are [${count}] copies of this shard and [${values.size}] values for attribute [${attribute}] ([${actual.join(', ')}] from nodes in the cluster and ${forcedText}) so there may be at most [${max}] copies of this shard allocated to nodes with each value, but (including this copy) there would be [${here}] copies allocated to nodes with [node.attr.${attribute}: ${value}]`;
  });
}
