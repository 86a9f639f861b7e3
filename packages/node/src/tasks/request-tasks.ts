/**
 * What other tasks cause on this node, as tasks of their own: every request over 9300 but the cluster's own talk.
 *
 * A phase of a search has its own flag: set when the sender cancels or is lost, and when this task alone is cancelled here.
 */

import type { TaskRegistry } from '@shoal/coordinator';
import type { InboundRequest, RequestTracker, TrackedRequest } from '@shoal/transport';

const FOLLOWED = /^(?:indices|cluster):/;
/** Freeing what a search left behind is no part of what can be stopped. */
const CANCELLABLE = /^indices:data\/read\/search\[phase/;

export function requestTasks(tasks: TaskRegistry, localNodeId: string): RequestTracker {
  return {
    began: (inbound) => (FOLLOWED.test(inbound.action) ? follow(tasks, localNodeId, inbound) : null),
  };
}

function follow(tasks: TaskRegistry, localNodeId: string, inbound: InboundRequest): TrackedRequest {
  const isCancellable = CANCELLABLE.test(inbound.action);
  const task = tasks.begin({
    type: inbound.from.nodeId === localNodeId ? 'direct' : 'transport',
    action: inbound.action,
    isCancellable,
    parentTaskId: inbound.parentTask,
    headers: inbound.headers,
    describe: () => shardOf(inbound.message),
  });
  const ended = (): void => tasks.end(task);
  if (!isCancellable) return { request: inbound, ended };
  inbound.signal.onCancel(() => task.cancel(inbound.signal.reason ?? 'by request'));
  const { from, action, message, sections, timeoutMs, parentTask, headers } = inbound;
  return { request: { from, action, message, sections, timeoutMs, parentTask, headers, signal: task.flag }, ended };
}

/** `shardId[[index][0]]` of a message that names one; empty of others. It comes from another node, so nothing is taken for granted. */
function shardOf(message: unknown): string {
  const target = fieldOf(message, 'target');
  const index = fieldOf(target, 'index');
  const shard = fieldOf(target, 'shard');
  return typeof index === 'string' && typeof shard === 'number' ? `shardId[[${index}][${shard}]]` : '';
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name]; // An object that has it.
}
