/**
 * A batch of events as bytes, by whichever codec: outputs that write bytes one behind the other.
 */
import type { LogEvent, OutputMemory } from '@shoal/agent-event';
import type { Codec } from '../contract/plugin-definition.ts';

/** @param memory given by one that is done with the result before any code of this thread encodes again */
export function encodeAll(codec: Codec, events: readonly LogEvent[], memory?: OutputMemory): Uint8Array {
  if (codec.encodeAll !== undefined) return codec.encodeAll(events, memory);
  return Buffer.concat(events.map((event) => codec.encode(event)));
}
