/**
 * Asks data nodes how full their disks are and how large their copies, while this node is the cluster manager: at once when a node
 * joins, and from then on regularly.
 */
import { type DiskLevel, type DiskUsage, type DiskUsages, dataNodes, hasFloodStageBlock } from '@shoal/cluster';
import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import { isAssertionFailure, messageOf, parseTimeValue } from '@shoal/core';
import { NODE_STATS, SHARD_STATS } from '@shoal/protocol';
import type { Cancel, Runtime } from '@shoal/runtime';
import { type Connection, requestWith } from '@shoal/transport';
import { nodeKey, shardKey } from './location-keys.ts';

export interface DiskMonitorHost {
  connection(nodeId: string): Connection;
  settings(): Readonly<Record<string, string>>;
  /** Levels of the disks by node id, by what is known now. */
  levels(state: ClusterState): ReadonlyMap<string, DiskLevel>;
  /** Allocation and blocks should follow the disks. */
  levelsChanged(): void;
}

const INTERVAL = 'cluster.info.update.interval';
const INTERVAL_MS_DEFAULT = 30_000;
const ASK_TIMEOUT_MS = 15_000;

export class DiskUsageMonitor implements DiskUsages {
  readonly #runtime: Runtime;
  readonly #host: DiskMonitorHost;
  /** By node process. */
  readonly #usages = new Map<string, DiskUsage>();
  /** By shard: bytes of its largest copy. */
  #shardBytes = new Map<string, number>();
  #levels: ReadonlyMap<string, DiskLevel> = new Map();
  #state: ClusterState | null = null;
  #isAsking = false;
  #stopTimer: Cancel | null = null;

  constructor(runtime: Runtime, host: DiskMonitorHost) {
    this.#runtime = runtime;
    this.#host = host;
  }

  of({ id, ephemeralId }: Pick<DiscoveryNode, 'id' | 'ephemeralId'>): DiskUsage | null {
    return this.#usages.get(nodeKey(id, ephemeralId)) ?? null;
  }

  shardBytes(indexUuid: string, shard: number): number | null {
    return this.#shardBytes.get(shardKey(indexUuid, shard)) ?? null;
  }

  /** @param state the applied state while this node is the cluster manager; null when it is not */
  update(state: ClusterState | null): void {
    const before = this.#state;
    this.#state = state;
    if (state === null) {
      this.#stopTimer?.();
      this.#stopTimer = null;
      this.#usages.clear();
      this.#shardBytes.clear();
      this.#levels = new Map();
    } else if (before?.nodes !== state.nodes) {
      void this.#measure();
    }
  }

  async #measure(): Promise<void> {
    if (this.#isAsking || this.#state === null) return;
    this.#isAsking = true;
    this.#stopTimer?.();
    const nodes = dataNodes(this.#state);
    const shardBytes = new Map<string, number>();
    try {
      await Promise.all(nodes.map((node) => this.#ask(node, shardBytes)));
    } finally {
      this.#isAsking = false;
    }
    const state: ClusterState | null = this.#state;
    if (state === null) return;
    this.#shardBytes = shardBytes;
    const wanted = new Set(dataNodes(state).map(({ id, ephemeralId }) => nodeKey(id, ephemeralId)));
    for (const key of [...this.#usages.keys()]) if (!wanted.has(key)) this.#usages.delete(key);
    this.#compare(state);
    // A node that joined meanwhile is asked by its own turn.
    const isStale = dataNodes(state).some((node) => !nodes.includes(node));
    const waitMs = isStale ? 0 : this.#intervalMs();
    this.#stopTimer = this.#runtime.sched.after(waitMs, () => void this.#measure());
  }

  async #ask(node: DiscoveryNode, shardBytes: Map<string, number>): Promise<void> {
    const options = { channel: 'reg', timeoutMs: ASK_TIMEOUT_MS } as const;
    try {
      const connection = this.#host.connection(node.id);
      const [{ stats }, { shards }] = await Promise.all([
        requestWith(connection, NODE_STATS, {}, options),
        requestWith(connection, SHARD_STATS, { indices: null }, options),
      ]);
      const usage = usageIn(stats);
      if (usage !== null) this.#usages.set(nodeKey(node.id, node.ephemeralId), usage);
      for (const { indexUuid, shard, stats: numbers } of shards) {
        const key = shardKey(indexUuid, shard);
        shardBytes.set(key, Math.max(shardBytes.get(key) ?? 0, numbers.storeBytes ?? 0));
      }
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      // What was known of it before is all there is.
      const reason = messageOf(error);
      this.#runtime.log.debug('cannot tell how full a disk is', { node: node.name, reason });
    }
  }

  /**
   * Copies leave a disk above the high watermark until it is below, and a blocked index may have no copy on any disk yet, so that both are
   * looked at again each time.
   */
  #compare(state: ClusterState): void {
    const levels = this.#host.levels(state);
    let hasChanged = hasFloodStageBlock(state);
    for (const [id, level] of levels) {
      const before = this.#levels.get(id) ?? 'unknown';
      if (level === before && level !== 'high' && level !== 'flood') continue;
      hasChanged = true;
      if (level === before || level === 'unknown' || (before === 'unknown' && level === 'fine')) continue;
      const node = state.nodes.get(id)?.name ?? id;
      if (level === 'fine') this.#runtime.log.info('disk has enough space again', { node });
      else this.#runtime.log.warn('disk watermark exceeded', { node, watermark: level });
    }
    this.#levels = levels;
    if (hasChanged) this.#host.levelsChanged();
  }

  #intervalMs(): number {
    const text = this.#host.settings()[INTERVAL];
    return text === undefined ? INTERVAL_MS_DEFAULT : parseTimeValue(text, INTERVAL);
  }
}

/** Numbers of the disk in a node's statistics; null: it cannot tell. */
function usageIn(stats: Readonly<Record<string, unknown>>): DiskUsage | null {
  const total = member(member(stats, 'fs'), 'total');
  const [totalBytes, freeBytes] = [member(total, 'total_in_bytes'), member(total, 'available_in_bytes')];
  if (typeof totalBytes !== 'number' || typeof freeBytes !== 'number' || totalBytes <= 0) return null;
  return { totalBytes, freeBytes };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
