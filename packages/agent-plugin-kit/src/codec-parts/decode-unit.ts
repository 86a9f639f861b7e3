/**
 * Bytes that are whole in themselves, such as a message or the body of a request, through a codec: nothing is left for bytes to come.
 */
import type { LogEvent } from '@shoal/agent-event';
import type { Codec, StreamPeer } from '../contract/plugin-definition.ts';

export function decodeUnit(codec: Codec, bytes: Uint8Array, peer?: StreamPeer): LogEvent[] {
  const decoder = codec.decoder(peer);
  return [...decoder.decode(bytes), ...decoder.flush()];
}
