/**
 * Answers other nodes with this node's part of `_nodes`, of `_nodes/stats`, of `_nodes/usage` and of `_nodes/hot_threads`.
 */
import { HOT_THREADS, NODE_INFO, NODE_STATS, NODE_USAGE } from '@shoal/protocol';
import { handleWith } from '@shoal/transport';
import { HotThreadsSource } from './hot-threads-source.ts';
import { nodeInfo } from './node-info.ts';
import { NodeMachineStats } from './node-machine-stats.ts';
import { nodeStats } from './node-stats.ts';
import type { NodeStatsSource } from './node-stats-source.ts';
import { nodeUsage } from './node-usage.ts';

export function registerNodeHandlers(source: NodeStatsSource): void {
  const { transport } = source.cluster;
  const { clock, machine } = source.runtime;
  const machineStats = new NodeMachineStats(machine, clock);
  const startedAtMs = clock.wallMs();
  const hotThreads = new HotThreadsSource(source);
  handleWith(transport, HOT_THREADS, async (request) => ({ threads: await hotThreads.take(request) }));
  handleWith(transport, NODE_INFO, () => ({ info: nodeInfo(source, startedAtMs) }));
  handleWith(transport, NODE_STATS, async () => ({ stats: await nodeStats(source, machineStats) }));
  handleWith(transport, NODE_USAGE, () => ({ usage: nodeUsage(source, startedAtMs) }));
}
