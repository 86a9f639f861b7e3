/** Mends of a shard of which no copy has every acknowledged write: all of them give some up, the first the fewest. */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { Mend, PrimariesMend } from '../mends/mend.ts';
import type { CopyCase } from './copy-case.ts';

export function lastResorts(copyCase: CopyCase): readonly Mend[] {
  const { copy, state, round } = copyCase;
  const snapshots: readonly Mend[] =
    state.metadata.repositories.size === 0 ? [] : [{ kind: 'findSnapshot', index: copy.index }];
  const [older] = staleHolders(copyCase);
  const allowed = round.nodes.filter((node) => round.passesFilters(copy.index, node));
  const [emptiest] = allowed.sort((a, b) => round.weight(copy, a.id) - round.weight(copy, b.id));
  return [
    ...(older === undefined ? [] : [primaryFrom('stale', copyCase, older)]),
    ...snapshots,
    ...(emptiest === undefined ? [] : [primaryFrom('empty', copyCase, emptiest)]),
    { kind: 'deleteIndex', index: copy.index },
  ];
}

/** Nodes whose disks have a copy that is not in sync. */
export function staleHolders({ copy, round, inSync }: CopyCase): readonly DiscoveryNode[] {
  return round.nodes.filter((node) => {
    const found = round.storeOn(copy, node);
    return typeof found === 'string' && !inSync.includes(found);
  });
}

function primaryFrom(from: PrimariesMend['from'], { copy }: CopyCase, { name }: DiscoveryNode): PrimariesMend {
  return { kind: 'allocatePrimaries', from, index: copy.index, places: [{ shard: copy.shard, node: name }] };
}
