/**
 * Answers other nodes with this node's part of `_nodes` and of `_nodes/stats`.
 */
import { NODE_INFO, NODE_STATS } from '@shoal/protocol';
import { handleWith } from '@shoal/transport';
import { nodeInfo } from './node-info.ts';
import { NodeMachineStats } from './node-machine-stats.ts';
import { nodeStats } from './node-stats.ts';
import type { NodeStatsSource } from './node-stats-source.ts';

export function registerNodeHandlers(source: NodeStatsSource): void {
  const { transport } = source.cluster;
  const { clock, machine } = source.runtime;
  const machineStats = new NodeMachineStats(machine, clock);
  const startedAtMs = clock.wallMs();
  handleWith(transport, NODE_INFO, () => ({ info: nodeInfo(source, startedAtMs) }));
  handleWith(transport, NODE_STATS, async () => ({ stats: await nodeStats(source, machineStats) }));
}
