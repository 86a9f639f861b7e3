/**
 * Bytes of a peer through a codec that may throw: in a handler of a socket that would end the process. Whoever sent what
 * cannot be decoded loses it, and nobody else anything.
 */
import type { Socket } from 'node:net';
import type { LogEvent } from '@shoal/agent-event';
import { decodeUnit } from '../codec-parts/decode-unit.ts';
import type { Codec, Decoder, PluginContext, StreamPeer } from '../contract/plugin-definition.ts';

/** Events of a datagram; none of one that the codec refuses, which is counted. */
export function decodedWhole(
  codec: Codec,
  bytes: Uint8Array,
  context: PluginContext,
  peer?: StreamPeer,
): readonly LogEvent[] {
  try {
    return decodeUnit(codec, bytes, peer);
  } catch (error) {
    context.metrics.increment('decode_failures');
    context.runtime.log.warn('a datagram cannot be decoded', { error: String(error) });
    return [];
  }
}

/** Events of the next piece of a connection. One that the codec refuses ends it: where the next event starts is not known. */
export function decodedPiece(
  decoder: Decoder,
  bytes: Uint8Array,
  socket: Socket,
  context: PluginContext,
): readonly LogEvent[] {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    context.metrics.increment('decode_failures');
    const peer = socket.remoteAddress ?? '';
    context.runtime.log.warn('a connection was ended: what it sent cannot be decoded', { peer, error: String(error) });
    socket.destroy();
    return [];
  }
}
