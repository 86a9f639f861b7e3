/** `filter`: nodes that the cluster or the index includes, excludes or requires by name, address or attribute. */
import { renderFilter } from '../rules/allocation-filter.ts';
import { type Decider, type DeciderInput, type Judgement, no, yes } from './decider.ts';

export const filter: Decider = { name: 'filter', canAllocate: passes, canRemain: passes };

function passes({ rules, copy, node }: DeciderInput): Judgement {
  const failed = rules.failedFilter(copy.index, node);
  if (failed === null) return yes(() => 'node passes include/exclude/require filters');
  const { scope, filter: of } = failed;
  const verb = of.kind === 'exclude' ? 'matches' : 'does not match';
  const setting = `${scope}.routing.allocation.${of.kind}`;
  return no(() => `node ${verb} ${scope} setting [${setting}] filters [${renderFilter(of)}]`);
}
