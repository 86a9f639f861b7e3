/**
 * The errors that the transport itself raises, with Elasticsearch's types. What a handler throws passes through unchanged.
 */
import { type ErrorMetadata, isShoalError, messageOf, ShoalError, showHostPort } from '@shoal/core';
import { type Address, NetworkError } from '@shoal/runtime';
import type { NodeIdentity } from './node-identity.ts';

/** Why a connection could not be made; `handshakeFailure` and `dialFailure` read it back from the error. */
export type HandshakeFailure =
  | 'version'
  | 'clusterName'
  | 'revision'
  | 'sameNodeId'
  | 'unexpectedNode'
  | 'foreignProtocol'
  | 'noAnswer';

const HANDSHAKE_KEY = 'handshake_failure';
const DIAL_KEY = 'dial_failure';

/** `{name}{host:port}`, as in messages about a node. */
export function showNode(node: NodeIdentity): string {
  return `{${node.name}}{${showHostPort(node.address)}}`;
}

function nodePrefix(node: NodeIdentity): string {
  return `[${node.name}][${showHostPort(node.address)}]`;
}

export function receiveTimeout(
  node: NodeIdentity,
  request: { readonly action: string; readonly id: number; readonly afterMs: number },
): ShoalError {
  return new ShoalError(
    'receive_timeout_transport_exception',
    500,
    `${nodePrefix(node)}[${request.action}] request_id [${request.id}] timed out after [${request.afterMs}ms]`,
  );
}

export function nodeDisconnected(node: NodeIdentity, action: string): ShoalError {
  return new ShoalError('node_disconnected_exception', 500, `${nodePrefix(node)}[${action}] disconnected`);
}

export function nodeNotConnected(node: NodeIdentity): ShoalError {
  return new ShoalError('node_not_connected_exception', 500, `${nodePrefix(node)} Node not connected`);
}

export function actionNotFound(action: string): ShoalError {
  return new ShoalError('action_not_found_transport_exception', 500, `No handler for action [${action}]`);
}

export function taskCancelled(reason: string | null): ShoalError {
  return new ShoalError('task_cancelled_exception', 400, `task cancelled [${reason ?? 'by the sender'}]`);
}

/** The socket could not be opened. */
export function connectFailed(address: Address, error: unknown): ShoalError {
  const kind = error instanceof NetworkError ? error.kind : 'other';
  const reason = messageOf(error);
  return new ShoalError('connect_transport_exception', 500, `[${showHostPort(address)}] connect_exception: ${reason}`, {
    metadata: { [DIAL_KEY]: kind },
  });
}

/** The socket opened, and the two ends did not agree. */
export function handshakeRefused(failure: HandshakeFailure, reason: string): ShoalError {
  const metadata: ErrorMetadata = { [HANDSHAKE_KEY]: failure };
  return new ShoalError('illegal_state_exception', 500, reason, { metadata });
}

/** Kind of failure of a handshake; null when the error is another one. */
export function handshakeFailure(error: unknown): HandshakeFailure | null {
  return isShoalError(error) ? ((error.metadata[HANDSHAKE_KEY] as HandshakeFailure | undefined) ?? null) : null;
}

/** The kind of network failure that kept a socket from opening, or null when the error is another one. */
export function dialFailure(error: unknown): string | null {
  const kind = isShoalError(error) ? error.metadata[DIAL_KEY] : undefined;
  return typeof kind === 'string' ? kind : null;
}
