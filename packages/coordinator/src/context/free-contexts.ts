/**
 * Lets shards forget the contexts of searches: those of one node in one message.
 */
import type { ClusterService } from '@shoal/membership';
import { FREE_CONTEXT, FREE_CONTEXTS, FREED_CONTEXTS_MAX, type FreeContextRequest } from '@shoal/protocol';

export interface OpenContext extends FreeContextRequest {
  readonly nodeId: string;
}

const FREE_CONTEXT_TIMEOUT_MS = 30_000;

/** Contexts by node, as many together as one message names. */
export function byNode(open: readonly OpenContext[]): readonly (readonly [string, readonly FreeContextRequest[]])[] {
  const nodes = new Map<string, FreeContextRequest[]>();
  for (const { nodeId, target, contextId } of open) {
    const contexts = nodes.get(nodeId);
    if (contexts === undefined) nodes.set(nodeId, [{ target, contextId }]);
    else contexts.push({ target, contextId });
  }
  const groups: (readonly [string, readonly FreeContextRequest[]])[] = [];
  for (const [nodeId, contexts] of nodes) {
    for (let from = 0; from < contexts.length; from += FREED_CONTEXTS_MAX) {
      groups.push([nodeId, contexts.slice(from, from + FREED_CONTEXTS_MAX)]);
    }
  }
  return groups;
}

/** How many were there to be let go, of at most `FREED_CONTEXTS_MAX`. */
export async function sendFreeContexts(
  cluster: ClusterService,
  nodeId: string,
  contexts: readonly FreeContextRequest[],
): Promise<number> {
  const options = { channel: 'reg', timeoutMs: FREE_CONTEXT_TIMEOUT_MS } as const;
  const [only] = contexts;
  if (only === undefined) return 0;
  if (contexts.length > 1) return (await cluster.send(nodeId, FREE_CONTEXTS, { contexts }, options)).freed;
  return (await cluster.send(nodeId, FREE_CONTEXT, only, options)).freed ? 1 : 0;
}
