/** Allocation awareness: the copies of a shard are to be spread over the values of an attribute, and one value has no node with room. */

import { type AwarenessRules, awarenessRules } from '../allocation/rules/awareness-rules.ts';
import type { Mend } from '../mends/mend.ts';
import { addNode } from '../mends/node-mends.ts';
import { resetSettings } from '../mends/setting-mends.ts';
import type { CopyCase, CopyCause } from './copy-case.ts';
import { fewerReplicas } from './too-many-copies.ts';

const PREFIX = 'cluster.routing.allocation.awareness';

export const unawareNode: CopyCause = {
  name: 'awareness',
  explain: (copyCase) => {
    const nodes = copyCase.blockedBy('awareness');
    const { copy, settings, state, context } = copyCase;
    if (nodes.length === 0) return null;
    const rules = awarenessRules(settings);
    const names = [`${PREFIX}.attributes`, ...[...rules.forced.keys()].map((name) => `${PREFIX}.force.${name}.values`)];
    return {
      reason: `Awareness keeps copies of [${copy.index}] from the nodes that are left: ${copyCase.saidBy('awareness')}`,
      mends: [
        ...missingZone(copyCase, rules),
        ...fewerReplicas(copyCase),
        resetSettings(
          state,
          context,
          names.map((name) => [name, '']),
        ),
      ],
    };
  },
};

/** A node with a value that copies are to be on and no node has. */
function missingZone({ state, round }: CopyCase, { attributes, forced }: AwarenessRules): readonly Mend[] {
  const missing = attributes.flatMap((attribute) => {
    const present = new Set(round.nodes.map((node) => node.attributes[attribute]));
    const value = (forced.get(attribute) ?? []).find((one) => !present.has(one));
    return value === undefined ? [] : [[attribute, value] as const];
  });
  return missing.length === 0 ? [] : [addNode(state, Object.fromEntries(missing))];
}
