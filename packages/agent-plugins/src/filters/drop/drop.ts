/**
 * drop: takes events out of the pipeline, all of them or a share.
 */
import type { PluginDefinition } from '@shoal/agent-plugin-kit';

/** Shares are told apart to a thousandth of a percent. */
const SCALE = 100_000;

export const dropFilter: PluginDefinition = {
  kind: 'filter',
  name: 'drop',
  version: '3.0.5',
  isStateless: true,
  options: { percentage: { type: 'number', default: 100 } },
  create: (options, context) => {
    const share = (options.number('percentage') / 100) * SCALE;
    return {
      filter: (event) => {
        if (share < SCALE && context.runtime.random.below(SCALE) >= share) return 'unmatched';
        event.cancel();
        return 'matched';
      },
    };
  },
};
