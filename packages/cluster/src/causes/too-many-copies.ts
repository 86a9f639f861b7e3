/** Every node that may have the copy has one of the shard: there are more copies than nodes. */
import { withoutTargets } from '@shoal/cluster-state';
import { replicaRangeOf } from '@shoal/schema';
import { departedText } from '../mends/departed-node.ts';
import { counted } from '../mends/finding.ts';
import type { Mend } from '../mends/mend.ts';
import { addNode } from '../mends/node-mends.ts';
import type { CopyCase, CopyCause } from './copy-case.ts';

const REPLICAS = 'index.number_of_replicas';
const RANGE = 'index.auto_expand_replicas';

export const tooManyCopies: CopyCause = {
  name: 'too_many_copies',
  explain: (copyCase) => {
    const { copy, index, nearest, blocked, state } = copyCase;
    if (copy.isPrimary || nearest !== null || blocked.length === 0) return null;
    const wanted = counted(index.numberOfReplicas, 'replica');
    const gone = copyCase.departed;
    const left = gone === null ? '' : `; the ${departedText(gone)}, which had one more, left`;
    const back: readonly Mend[] = gone === null ? [] : [{ kind: 'startNode', node: gone }];
    return {
      reason: `[${index.name}] wants ${wanted} of each shard, and the cluster has ${counted(blocked.length, 'data node')}, each with a copy already${left}`,
      mends: [...back, ...fewerReplicas(copyCase), addNode(state)],
    };
  },
};

/** The replicas of the index brought down to those that have a node; nothing for a primary. */
export function fewerReplicas({ copy, index, state }: CopyCase): readonly Mend[] {
  if (copy.isPrimary) return [];
  const replicas = Math.min(
    ...(state.routing.indices.get(index.name) ?? []).map(
      (copies) => withoutTargets(copies).filter(({ isPrimary, nodeId }) => !isPrimary && nodeId !== null).length,
    ),
  );
  const range = replicaRangeOf(index.settings[RANGE]);
  if (range === null) return [{ kind: 'indexSettings', index: index.name, settings: { [REPLICAS]: replicas } }];
  const max = index.settings[RANGE]?.split('-')[1] ?? 'all';
  const least = Math.min(range.min, replicas);
  return [{ kind: 'indexSettings', index: index.name, settings: { [RANGE]: `${least}-${max}` } }];
}
