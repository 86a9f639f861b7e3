/**
 * The steps of a plan with running instances instead of planned plugins: the same tree for filters and outputs.
 */
import type { Condition, PlannedPlugin, Step } from '@shoal/agent-config';

export type RunningStep<Running> =
  | { readonly kind: 'plugin'; readonly running: Running }
  | {
      readonly kind: 'branch';
      readonly condition: Condition;
      readonly whenTrue: readonly RunningStep<Running>[];
      readonly whenFalse: readonly RunningStep<Running>[];
    };

/** `make` gives the instance of each plugin, in the order of the configuration. */
export function runningSteps<Planned extends PlannedPlugin, Running>(
  steps: readonly Step<Planned>[],
  make: (plan: Planned) => Running,
): readonly RunningStep<Running>[] {
  return steps.map((step): RunningStep<Running> => {
    if (step.kind === 'plugin') return { kind: 'plugin', running: make(step.plugin) };
    const { condition } = step;
    return {
      kind: 'branch',
      condition,
      whenTrue: runningSteps(step.then, make),
      whenFalse: runningSteps(step.else, make),
    };
  });
}
