/**
 * Contexts that nothing will be fetched from: those of the searches of a moment are let go of together, one message a node, since
 * a message of each search would cost as much as asking the shard once more.
 *
 * Nobody waits for it: a shard that does not hear of a context forgets it by itself after the keep-alive.
 */
import type { ClusterService } from '@shoal/membership';
import { FREED_CONTEXTS_MAX } from '@shoal/protocol';
import type { Runtime } from '@shoal/runtime';
import { byNode, type OpenContext, sendFreeContexts } from './free-contexts.ts';

/** Longest that a shard holds a reader for a search that is over. */
const HELD_MS = 20;

export class ContextReleases {
  readonly #runtime: Runtime;
  readonly #cluster: ClusterService;
  #open: OpenContext[] = [];

  constructor(runtime: Runtime, cluster: ClusterService) {
    this.#runtime = runtime;
    this.#cluster = cluster;
  }

  add(open: readonly OpenContext[]): void {
    if (open.length === 0) return;
    if (this.#open.length === 0) this.#runtime.sched.after(HELD_MS, () => this.#send());
    for (const one of open) this.#open.push(one);
    if (this.#open.length >= FREED_CONTEXTS_MAX) this.#send();
  }

  #send(): void {
    const open = this.#open;
    this.#open = [];
    for (const [nodeId, contexts] of byNode(open)) {
      sendFreeContexts(this.#cluster, nodeId, contexts).catch((error: unknown) => {
        this.#runtime.log.debug('search contexts could not be freed', { nodeId, error: String(error) });
      });
    }
  }
}
