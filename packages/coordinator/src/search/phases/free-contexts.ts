/**
 * Lets shards forget the contexts that nothing will be fetched from: those of one node in one message.
 */
import { FREE_CONTEXT, FREE_CONTEXTS, FREED_CONTEXTS_MAX, type FreeContextRequest } from '@shoal/protocol';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';

export interface OpenContext extends FreeContextRequest {
  readonly nodeId: string;
}

const FREE_CONTEXT_TIMEOUT_MS = 30_000;

/** Nobody waits for it: a shard that does not hear of it forgets by itself after the keep-alive. */
export function freeContexts(context: CoordinatorContext, open: readonly OpenContext[]): void {
  for (const [nodeId, contexts] of byNode(open)) {
    sendFreeContexts(context, nodeId, contexts).catch((error: unknown) => {
      context.runtime.log.debug('search contexts could not be freed', { nodeId, error: String(error) });
    });
  }
}

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
  context: CoordinatorContext,
  nodeId: string,
  contexts: readonly FreeContextRequest[],
): Promise<number> {
  const options = { channel: 'reg', timeoutMs: FREE_CONTEXT_TIMEOUT_MS } as const;
  const [only] = contexts;
  if (only === undefined) return 0;
  if (contexts.length > 1) return (await context.cluster.send(nodeId, FREE_CONTEXTS, { contexts }, options)).freed;
  return (await context.cluster.send(nodeId, FREE_CONTEXT, only, options)).freed ? 1 : 0;
}
