/** `enable`: which copies are assigned at all, and which are moved for the balance. */
import { isNeverStarted } from '../../reading/resize-source.ts';
import { type Decider, no, yes } from './decider.ts';

export const enable: Decider = {
  name: 'enable',
  canAllocate: ({ rules, copy }) => {
    const { value, text } = rules.enable(copy.index);
    switch (value) {
      case 'none':
        return no(() => `no allocations are allowed due to ${text()}`);
      case 'new_primaries':
        return copy.isPrimary && isNeverStarted(copy)
          ? yes(() => 'new primary allocations are allowed')
          : no(() => `non-new primary allocations are forbidden due to ${text()}`);
      case 'primaries':
        return copy.isPrimary
          ? yes(() => 'primary allocations are allowed')
          : no(() => `replica allocations are forbidden due to ${text()}`);
      default:
        return yes(() => 'all allocations are allowed');
    }
  },
  canRebalance: ({ rules, copy }) => {
    const { value, text } = rules.rebalanceEnable(copy.index);
    switch (value) {
      case 'none':
        return no(() => `no rebalancing is allowed due to ${text()}`);
      case 'primaries':
        return copy.isPrimary
          ? yes(() => 'primary rebalancing is allowed')
          : no(() => `replica rebalancing is forbidden due to ${text()}`);
      case 'replicas':
        return copy.isPrimary
          ? no(() => `primary rebalancing is forbidden due to ${text()}`)
          : yes(() => 'replica rebalancing is allowed');
      default:
        return yes(() => 'all rebalancing is allowed');
    }
  },
};
