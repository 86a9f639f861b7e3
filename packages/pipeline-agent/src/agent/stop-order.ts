/**
 * In which order pipelines of one process stop: one that sends to another before that one, or it would wait for ever for
 * somebody to take what it still has.
 */
import type { PipelinePlan, PlannedPlugin } from '@shoal/agent-config';
import { flatPlugins } from '@shoal/agent-config';

/** Groups that may stop at the same time, the first first. Those that send to each other in a circle stop together. */
export function inStopOrder<One extends { readonly plan: PipelinePlan }>(
  all: readonly One[],
): readonly (readonly One[])[] {
  const groups: (readonly One[])[] = [];
  let left = all.map((one) => ({ one, from: addresses(one.plan.inputs, 'address'), to: addressesOf(one.plan) }));
  while (left.length > 0) {
    const free = left.filter(({ from, one }) =>
      left.every((other) => other.one === one || !other.to.some((address) => from.includes(address))),
    );
    const group = free.length === 0 ? left : free;
    groups.push(group.map(({ one }) => one));
    left = left.filter((candidate) => !group.includes(candidate));
  }
  return groups;
}

/** Those whose events can come back to them: once their queues are full, each waits for itself. */
export function inCircles<One extends { readonly plan: PipelinePlan }>(all: readonly One[]): readonly One[] {
  const nodes = all.map((one) => ({ one, from: addresses(one.plan.inputs, 'address'), to: addressesOf(one.plan) }));
  const next = (to: readonly string[]) => nodes.filter(({ from }) => from.some((address) => to.includes(address)));
  return all.filter((one, i) => {
    const reached = new Set(next(nodes[i]?.to ?? []));
    for (const node of reached) for (const further of next(node.to)) reached.add(further);
    return [...reached].some((node) => node.one === one);
  });
}

function addressesOf(plan: PipelinePlan): readonly string[] {
  return addresses(flatPlugins(plan.outputs), 'send_to');
}

function addresses(plugins: readonly PlannedPlugin[], option: string): readonly string[] {
  return plugins
    .filter(({ name }) => name === 'pipeline')
    .flatMap(({ options }) => options.withoutCodecs().strings(option));
}
