/** Allocation filters of the cluster or the index keep the copy from every node that is left for it. */
import type { DiscoveryNode } from '@shoal/cluster-state';
import { type AllocationFilter, failedFilter, readFilters } from '../allocation/rules/allocation-filter.ts';
import { named } from '../mends/finding.ts';
import type { Mend } from '../mends/mend.ts';
import { resetSettings } from '../mends/setting-mends.ts';
import type { CopyCause } from './copy-case.ts';
import { fewerReplicas } from './too-many-copies.ts';

const OF_CLUSTER = 'cluster.routing.allocation';
const OF_INDEX = 'index.routing.allocation';

export const filtered: CopyCause = {
  name: 'filtered',
  explain: (copyCase) => {
    const nodes = copyCase.blockedBy('filter');
    const { nearest, settings: ofCluster, index, state, context } = copyCase;
    if (nodes.length === 0 || nearest === null) return null;
    const clusterFilters = failing(ofCluster, OF_CLUSTER, nearest.node);
    const indexFilters = failing(index.settings, OF_INDEX, nearest.node);
    const shown = [
      ...clusterFilters.map((filter) => `[${nameOf(OF_CLUSTER, filter)}=${filter.values.join(',')}]`),
      ...indexFilters.map((filter) => `[${nameOf(OF_INDEX, filter)}=${filter.values.join(',')}] of [${index.name}]`),
    ];
    const mends: Mend[] = [];
    // Both at once would be two requests: the other filters are the next finding.
    if (clusterFilters.length > 0) {
      mends.push(
        resetSettings(
          state,
          context,
          clusterFilters.map((filter) => [nameOf(OF_CLUSTER, filter), '']),
        ),
      );
    } else {
      const settings = Object.fromEntries(indexFilters.map((filter) => [nameOf(OF_INDEX, filter), null]));
      mends.push({ kind: 'indexSettings', index: index.name, settings });
    }
    const verb = shown.length === 1 ? 'keeps' : 'keep';
    return {
      reason: `The filter${shown.length === 1 ? '' : 's'} ${shown.join(' and ')} ${verb} copies from ${named(nodes)}, and no other node may have them`,
      mends: [...mends, ...fewerReplicas(copyCase)],
    };
  },
};

function failing(
  settings: Readonly<Record<string, string>>,
  prefix: string,
  node: DiscoveryNode,
): readonly AllocationFilter[] {
  return readFilters(settings, prefix).filter((filter) => failedFilter([filter], node) !== null);
}

function nameOf(prefix: string, { kind, attribute }: AllocationFilter): string {
  return `${prefix}.${kind}.${attribute}`;
}
