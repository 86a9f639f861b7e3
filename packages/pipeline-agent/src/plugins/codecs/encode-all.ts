/**
 * A batch of events as bytes, by whichever codec: outputs that write bytes one behind the other.
 */
import type { LogEvent } from '../../event/log-event.ts';
import type { Codec } from '../../plugin/plugin-definition.ts';

export function encodeAll(codec: Codec, events: readonly LogEvent[]): Uint8Array {
  if (codec.encodeAll !== undefined) return codec.encodeAll(events);
  return Buffer.concat(events.map((event) => codec.encode(event)));
}
