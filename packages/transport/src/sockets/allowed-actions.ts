/**
 * Which actions a peer may ask for, by what it said in its handshake: a client that only asks for itself has no business with
 * the messages between nodes, and a probe has asked all it wanted when the handshake is done.
 */
import { ShoalError } from '@shoal/core';
import type { Hello } from './handshake.ts';

/** Names of the actions that clients ask for begin with it. */
const CLIENT_ACTIONS = 'client:';

/** Null when the peer may ask for the action, else the error 403 that it is answered. */
export function refusedAction({ identity, purpose }: Hello, action: string): ShoalError | null {
  const kind = purpose === 'probe' ? 'probe' : identity.kind;
  const isAllowed = kind === 'transport_client' ? action.startsWith(CLIENT_ACTIONS) : kind !== 'probe';
  if (isAllowed) return null;
  return new ShoalError('security_exception', 403, `action [${action}] is not allowed for a [${kind}]`);
}
