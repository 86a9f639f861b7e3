/**
 * Requests of a primary to the other copies: sent again while there is hope, then the copy has failed.
 */
import type { CopyRequest } from '../copy/copy-messages.ts';
import type { OpenRequest } from '../copy/copy-state.ts';
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { AllocationId } from '../group/shard-group.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { withoutKey } from '../sequence/without.ts';

/** Delay before a request is sent for the second time; doubles with each time. */
const FIRST_DELAY_MS = 50;
/** A target that its source does not know yet asks again after this. */
export const RECOVERY_DELAY_MS = 500;

export function sendToCopy<O extends ShardOperation>(
  turn: CopyTurn<O>,
  to: AllocationId,
  request: CopyRequest<O>,
  ticket: string | null,
): void {
  const { nextRequest, requests } = turn.state;
  turn.patch({
    nextRequest: nextRequest + 1,
    requests: new Map(requests).set(nextRequest, { to, request, ticket, attempts: 1 }),
  });
  turn.emit({ kind: 'send', requestId: nextRequest, to, request });
}

/** Takes a request that is answered; null when it was answered before, or nobody wants the answer any more. */
export function endRequest<O extends ShardOperation>(turn: CopyTurn<O>, requestId: number): OpenRequest<O> | null {
  const ended = turn.state.requests.get(requestId);
  if (ended === undefined) return null;
  turn.patch({ requests: withoutKey(turn.state.requests, requestId) });
  return ended;
}

/** @returns the copy that has failed now, null when the request will be sent again or is nobody's any more */
export function retryRequest<O extends ShardOperation>(turn: CopyTurn<O>, requestId: number): AllocationId | null {
  const open = turn.state.requests.get(requestId);
  if (open === undefined) return null;
  const delayMs = FIRST_DELAY_MS * 2 ** (open.attempts - 1);
  if (open.request.kind === 'startRecovery') {
    // A target asks until its primary answers, or the cluster manager takes the assignment back.
    turn.emit({ kind: 'sendLater', requestId, delayMs: Math.min(delayMs, RECOVERY_DELAY_MS) });
    return null;
  }
  // The delays so far are as long as the next one, less the first.
  if (delayMs > turn.context.resendMaxMs) return open.to;
  turn.emit({ kind: 'sendLater', requestId, delayMs });
  return null;
}

export function sendAgain<O extends ShardOperation>(turn: CopyTurn<O>, requestId: number): void {
  const open = turn.state.requests.get(requestId);
  if (open === undefined) return;
  const { to, request, attempts } = open;
  turn.patch({ requests: new Map(turn.state.requests).set(requestId, { ...open, attempts: attempts + 1 }) });
  turn.emit({ kind: 'send', requestId, to, request });
}

export function dropRequestsTo<O extends ShardOperation>(turn: CopyTurn<O>, to: AllocationId): void {
  turn.patch({ requests: new Map([...turn.state.requests].filter(([, request]) => request.to !== to)) });
}
