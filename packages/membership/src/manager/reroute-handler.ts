/** `_cluster/reroute` at the cluster manager: commands first, then whatever else can be assigned. */
import { applyRerouteCommands, type CommandsDone, resetFailedAllocations } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { REROUTE, type RerouteAnswer, type RerouteMessage } from '@shoal/protocol';
import { handleWith, type Transport } from '@shoal/transport';
import { change, guarded, type ManagerHandlersHost, requireManager } from './manager-change.ts';
import { TASK_PRIORITY } from './manager-task-queue.ts';

export function registerReroute(transport: Transport, host: ManagerHandlersHost): void {
  handleWith(transport, REROUTE, (message) => (message.isDryRun ? dryRun(host, message) : rerouted(host, message)));
}

function dryRun(host: ManagerHandlersHost, message: RerouteMessage): RerouteAnswer {
  requireManager(host);
  const { state } = host.applier;
  guarded('cluster:admin/reroute', message)(state);
  const done = commandsDone(host, message, state);
  return { ...answerOf(done, true), state: host.reroute(done.state) };
}

async function rerouted(host: ManagerHandlersHost, message: RerouteMessage): Promise<RerouteAnswer> {
  let done: CommandsDone = { state: host.applier.state, explanations: [] };
  const { acknowledged } = await change(host, {
    checkBlocks: guarded('cluster:admin/reroute', message),
    source: 'cluster_reroute (api)',
    priority: TASK_PRIORITY.high,
    timeouts: message,
    update: (state) => {
      done = commandsDone(host, message, state);
      return host.reroute(done.state);
    },
  });
  return answerOf(done, acknowledged);
}

function commandsDone(host: ManagerHandlersHost, message: RerouteMessage, state: ClusterState): CommandsDone {
  const { retryFailed, commands, isExplained } = message;
  const base = retryFailed ? resetFailedAllocations(state) : state;
  return applyRerouteCommands(base, commands, isExplained, host.context());
}

function answerOf({ explanations }: CommandsDone, acknowledged: boolean): RerouteAnswer {
  return { acknowledged, explanations: explanations.map((explanation) => ({ ...explanation })), state: null };
}
