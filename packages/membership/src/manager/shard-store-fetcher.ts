/**
 * Finds the documents of copies that have no node: the cluster manager asks each data node what it has on disk, then reroutes with
 * what it learned.
 *
 * What is known is forgotten as soon as all copies of the shard are assigned, and with the process that said it. A node that has no copy of a shard
 * without a primary is asked again from time to time: its disk may not have been readable, or come only now.
 */

import { dataNodes, type ShardStores, type StoreLocation } from '@shoal/cluster';
import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';
import { isAssertionFailure, messageOf } from '@shoal/core';
import { LIST_SHARD_STORES, SHARD_STORES_MAX } from '@shoal/protocol';
import type { Cancel, Runtime } from '@shoal/runtime';
import { type Connection, requestWith } from '@shoal/transport';
import { nodeKey, shardKey } from './location-keys.ts';
import { type WantedStore, wantedStores } from './wanted-stores.ts';

export interface FetcherHost {
  connection(nodeId: string): Connection;
  /** Something new is known: allocation should look again. */
  storesFound(): void;
}

const FETCH_TIMEOUT_MS = 30_000;
const RETRY_MS = 500;
/** Time after which nodes without a copy of a shard that has no primary are asked once more. */
const LOOK_AGAIN_MS = 10_000;

export class ShardStoreFetcher implements ShardStores {
  readonly #runtime: Runtime;
  readonly #host: FetcherHost;
  /** Answers by shard, then by node process. */
  readonly #known = new Map<string, Map<string, string | null>>();
  readonly #asking = new Set<string>();
  #state: ClusterState | null = null;
  #stopRetry: Cancel | null = null;
  #stopLook: Cancel | null = null;

  constructor(runtime: Runtime, host: FetcherHost) {
    this.#runtime = runtime;
    this.#host = host;
  }

  find(at: StoreLocation): string | null | undefined {
    return this.#known.get(shardKey(at.indexUuid, at.shard))?.get(nodeKey(at.nodeId, at.ephemeralId));
  }

  /** @param state the applied state while this node is the cluster manager; null when it is not */
  update(state: ClusterState | null): void {
    this.#state = state;
    this.#stopRetry?.();
    this.#stopRetry = null;
    if (state === null) {
      this.#stopLooking();
      this.#known.clear();
    } else this.#askAll(state, false);
  }

  close(): void {
    this.#stopRetry?.();
    this.#stopLooking();
    this.#state = null;
  }

  /** @param looksAgain also nodes that had no copy of a shard without a primary */
  #askAll(state: ClusterState, looksAgain: boolean): void {
    const wanted = wantedStores(state);
    const keys = wanted.map(({ indexUuid, shard }) => shardKey(indexUuid, shard));
    const wantedKeys = new Set(keys);
    for (const key of [...this.#known.keys()]) if (!wantedKeys.has(key)) this.#known.delete(key);
    const answers = keys.map((key) => this.#known.get(key));
    for (const node of dataNodes(state)) {
      const byNode = nodeKey(node.id, node.ephemeralId);
      const isAsked = ({ isPrimaryMissing, holders }: WantedStore, at: number): boolean => {
        if (holders.has(node.id)) {
          answers[at]?.delete(byNode);
          return false;
        }
        const found = answers[at]?.get(byNode);
        return found === undefined || (found === null && isPrimaryMissing && looksAgain);
      };
      const unknown = wanted.filter(isAsked);
      if (unknown.length > 0) void this.#ask(node, unknown.slice(0, SHARD_STORES_MAX));
    }
    if (wanted.some(({ isPrimaryMissing }) => isPrimaryMissing)) this.#lookLater();
    else this.#stopLooking();
  }

  #lookLater(): void {
    this.#stopLook ??= this.#runtime.sched.after(LOOK_AGAIN_MS, () => {
      this.#stopLook = null;
      if (this.#state !== null) this.#askAll(this.#state, true);
    });
  }

  #stopLooking(): void {
    this.#stopLook?.();
    this.#stopLook = null;
  }

  async #ask(node: DiscoveryNode, wanted: readonly WantedStore[]): Promise<void> {
    const key = nodeKey(node.id, node.ephemeralId);
    if (this.#asking.has(key)) return;
    this.#asking.add(key);
    try {
      const shards = wanted.map(({ indexUuid, shard }) => ({ indexUuid, shard }));
      const options = { channel: 'reg', timeoutMs: FETCH_TIMEOUT_MS } as const;
      const { allocationIds } = await requestWith(
        this.#host.connection(node.id),
        LIST_SHARD_STORES,
        { shards },
        options,
      );
      if (this.#state === null) return;
      let isNews = false;
      wanted.forEach((store, i) => {
        const shard = shardKey(store.indexUuid, store.shard);
        const byNode = this.#known.get(shard) ?? new Map<string, string | null>();
        const found = allocationIds[i] ?? null;
        isNews ||= byNode.get(key) !== found;
        byNode.set(key, found);
        this.#known.set(shard, byNode);
      });
      if (isNews) this.#host.storesFound();
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      const reason = messageOf(error);
      this.#runtime.log.debug('cannot list shard stores', { node: node.name, reason });
    } finally {
      this.#asking.delete(key);
    }
    this.#retryLater();
  }

  /** Shards that appeared while a node was asked, and nodes that did not answer, get another question. */
  #retryLater(): void {
    if (this.#state === null || this.#stopRetry !== null) return;
    this.#stopRetry = this.#runtime.sched.after(RETRY_MS, () => {
      this.#stopRetry = null;
      this.update(this.#state);
    });
  }
}
