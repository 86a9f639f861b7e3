/**
 * What a request between nodes that came to nothing says of the other node: it refused, it is silent, or its process is gone.
 */
import type { FailureCause } from '@shoal/consensus';
import { isShoalError } from '@shoal/core';
import { handshakeFailure } from '@shoal/transport';

const DISCONNECTS: readonly string[] = [
  'node_disconnected_exception',
  'node_not_connected_exception',
  'connect_transport_exception',
  'node_closed_exception',
];

export function causeOf(error: unknown): FailureCause {
  if (!isShoalError(error)) return 'refused';
  // Whoever refuses is alive: a socket that opened and said nothing is no proof of that.
  if (error.type === 'receive_timeout_transport_exception' || handshakeFailure(error) === 'noAnswer') return 'timeout';
  return DISCONNECTS.includes(error.type) ? 'disconnected' : 'refused';
}
