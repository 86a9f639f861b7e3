/**
 * Bytes that are whole in themselves, however long, through a codec: between its pieces and steps others have their turn.
 */
import type { LogEvent } from '@shoal/agent-event';
import { decodeUnit } from '../codec-parts/decode-unit.ts';
import type { Codec } from '../contract/plugin-definition.ts';
import type { InputTurns } from './input-turns.ts';

/** Fewer bytes are decoded at once. */
const LONG_BYTES_MIN = 64 * 1024;
/** Codecs that look at no byte twice, in whatever pieces they come. */
const LINE_CODECS: readonly string[] = ['line', 'json_lines'];
const PIECE_BYTES = 16 * 1024;

/**
 * Events as they are decoded, so that who pushes them at once never holds all of them. A unit of which nothing counts before its
 * end is known comes as one part.
 */
export async function* decodedParts(
  codec: Codec,
  bytes: Uint8Array,
  turns: InputTurns,
): AsyncGenerator<readonly LogEvent[], void, void> {
  if (turns.isOver) await turns.next();
  if (bytes.length < LONG_BYTES_MIN) {
    yield turns.timed(() => decodeUnit(codec, bytes));
    return;
  }
  const decoder = codec.decoder();
  if (decoder.decodeInSteps !== undefined) {
    const steps = decoder.decodeInSteps(bytes);
    let step = turns.timed(() => steps.next());
    for (; step.done !== true; step = turns.timed(() => steps.next())) if (turns.isOver) await turns.next();
    yield step.value;
  } else {
    for (const piece of shortPieces(codec, bytes)) {
      yield turns.timed(() => decoder.decode(piece));
      if (turns.isOver) await turns.next();
    }
  }
  yield turns.timed(() => decoder.flush());
}

/**
 * Bytes of a stream in pieces that are decoded in a few milliseconds each; in one where the codec may see the end of a piece as that of
 * an event.
 */
export function shortPieces(codec: Pick<Codec, 'name'>, bytes: Uint8Array): readonly Uint8Array[] {
  if (bytes.length <= PIECE_BYTES || !LINE_CODECS.includes(codec.name)) return [bytes];
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) pieces.push(bytes.subarray(at, at + PIECE_BYTES));
  return pieces;
}

/** Events of `decodedParts`, for those who need all at once. */
export async function decodeInTurns(codec: Codec, bytes: Uint8Array, turns: InputTurns): Promise<readonly LogEvent[]> {
  const events: LogEvent[] = [];
  for await (const part of decodedParts(codec, bytes, turns)) {
    // One by one: an array of a million items is too long to be spread into a call.
    for (const event of part) events.push(event);
  }
  return events;
}
