/**
 * Makes a connection: one socket first, whose handshake says who is there, then the rest of the profile at once.
 *
 * All or nothing: when one socket fails the others are dropped, and the caller gets one error that says why.
 */
import { messageOf, showHostPort } from '@shoal/core';
import type { Address } from '@shoal/runtime';
import { connectionProfile } from '../channel/connection-profile.ts';
import type { NodeIdentity } from '../channel/node-identity.ts';
import type { Channel, ConnectOptions } from '../channel/transport.ts';
import { connectFailed, handshakeRefused, nodeDisconnected } from '../channel/transport-errors.ts';
import { PROTOCOL_REVISION } from '../frames/frame.ts';
import { checkAnswer, type HelloAnswer, MINIMUM_NODE_VERSION } from '../sockets/handshake.ts';
import { OutboundSocket } from '../sockets/outbound-socket.ts';
import type { TransportContext } from '../sockets/transport-context.ts';
import { OutboundConnection } from './outbound-connection.ts';

const NONCE_BYTES = 12;

export async function openConnection(
  context: TransportContext,
  address: Address,
  options: ConnectOptions,
  onClosed: (connection: OutboundConnection, reason: string) => void,
): Promise<OutboundConnection> {
  const attempt = new Attempt(context, address, options);
  const profile = connectionProfile(context.identity, options.kind, context.settings.connectionsPerNode);
  const { identity: node } = await attempt.openSocket('reg');
  const rest: Channel[] = [];
  for (const [channel, count] of Object.entries(profile) as [Channel, number][]) {
    for (let i = channel === 'reg' ? 1 : 0; i < count; i++) rest.push(channel);
  }
  const opened = await Promise.allSettled(rest.map((channel) => attempt.openSocket(channel)));
  for (const result of opened) {
    if (result.status === 'rejected') throw attempt.fail(result.reason);
    if (result.value.identity.ephemeralId !== node.ephemeralId) throw attempt.fail(changedNode(address, node));
  }
  // The other side closes all when it loses one, and one may have died while the others shook hands.
  if (attempt.sockets.some((socket) => socket.frames.isClosed)) throw attempt.fail(nodeDisconnected(node, 'handshake'));
  return new OutboundConnection(context, node, attempt.sockets, onClosed);
}

class Attempt {
  readonly sockets: OutboundSocket[] = [];
  readonly #context: TransportContext;
  readonly #address: Address;
  readonly #options: ConnectOptions;
  readonly #nonce: string;

  constructor(context: TransportContext, address: Address, options: ConnectOptions) {
    this.#context = context;
    this.#address = address;
    this.#options = options;
    this.#nonce = Buffer.from(context.runtime.random.bytes(NONCE_BYTES)).toString('base64url');
  }

  async openSocket(channel: Channel): Promise<HelloAnswer> {
    const { settings, runtime, identity } = this.#context;
    const connectTimeoutMs = this.#options.connectTimeoutMs ?? settings.connectTimeoutMs;
    const raw = await runtime.net.dial(this.#address, { connectTimeoutMs }).catch((error: unknown) => {
      throw connectFailed(this.#address, error);
    });
    const socket = new OutboundSocket(raw, this.#context, { address: this.#address, channel });
    this.sockets.push(socket);
    const answer = await socket.shakeHands(
      {
        revision: PROTOCOL_REVISION,
        minimumVersion: MINIMUM_NODE_VERSION,
        identity,
        purpose: this.#options.kind ?? 'node',
        channel,
        nonce: this.#nonce,
        frameBytesMax: settings.frameBytesMax,
      },
      this.#options.handshakeTimeoutMs ?? settings.handshakeTimeoutMs,
    );
    const refusal = checkAnswer(identity, answer, {
      address: this.#address,
      nodeId: this.#options.expectNodeId ?? null,
    });
    if (refusal !== null) throw this.fail(handshakeRefused(refusal.failure, refusal.reason));
    return answer;
  }

  /** Drops what was opened; returns the error to throw. */
  fail(error: unknown): unknown {
    const reason = messageOf(error);
    for (const socket of this.sockets) socket.frames.destroy(reason);
    return error;
  }
}

function changedNode(address: Address, node: NodeIdentity): Error {
  return handshakeRefused(
    'unexpectedNode',
    `handshake with [${showHostPort(address)}] failed: another node than [${node.name}] answered on the next socket`,
  );
}
