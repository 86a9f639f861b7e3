/**
 * Bytes of a state back to plain values, in steps of one item of a large list, such as an index of a state, or of one piece of what
 * was compressed. In one piece a state of thousands of indices takes most of a second, in which its node would answer nobody.
 *
 * A state of one piece is read at once: it takes a millisecond or two. `unpackState` reads the same bytes without steps.
 */
import { constants, inflateRawSync } from 'node:zlib';
import { isShoalError, messageOf, type Steps } from '@shoal/core';
import { messageHead, messageValue } from '@shoal/transport';
import type { Packr } from 'msgpackr';
import {
  OPENED_LEVELS,
  PIECE_BYTES,
  piecesOf,
  STATE_LIMITS,
  statePackr,
  unpackState,
  unreadable,
  WHOLE_ITEMS_MAX,
} from './state-bytes.ts';

/** Throws `malformed_message_exception` for bytes that are no packed state; the value itself is still unchecked. */
export function* unpackStateInSteps(bytes: Uint8Array): Steps<unknown> {
  const pieces = piecesOf(bytes);
  if (pieces === null) return unpackState(bytes);
  try {
    return yield* new StepUnpacker(yield* inflated(pieces)).root();
  } catch (error) {
    if (isShoalError(error)) throw error;
    throw unreadable(messageOf(error));
  }
}

function* inflated(pieces: readonly Uint8Array[]): Steps<Uint8Array> {
  // Every piece but the last is full, and holds that much: the memory follows from what was received.
  const raw = new Uint8Array(pieces.length * PIECE_BYTES);
  let used = 0;
  for (const [i, piece] of pieces.entries()) {
    const part = inflateRawSync(piece, { maxOutputLength: PIECE_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
    if (i < pieces.length - 1 && part.length !== PIECE_BYTES) throw unreadable(`piece ${i} has ${part.length} bytes`);
    raw.set(part, used);
    used += part.length;
    yield;
  }
  return raw.subarray(0, used);
}

class StepUnpacker {
  private readonly raw: Uint8Array;
  private readonly codec: Packr = statePackr();
  private at = 0;
  private valuesLeft = STATE_LIMITS.valuesMax;

  constructor(raw: Uint8Array) {
    this.raw = raw;
  }

  *root(): Steps<unknown> {
    const value = yield* this.value(0);
    if (this.at !== this.raw.length) throw unreadable(`${this.raw.length - this.at} bytes follow it`);
    return value;
  }

  /** The packer opens the same maps and lists. */
  private *value(level: number): Steps<unknown> {
    const head = messageHead(this.raw, this.at);
    if (head === null) return this.whole();
    if (head.isMap) return level < OPENED_LEVELS ? yield* this.map(level) : this.whole();
    return head.entries > WHOLE_ITEMS_MAX ? yield* this.list() : this.whole();
  }

  private *map(level: number): Steps<Readonly<Record<string, unknown>>> {
    const members: [string, unknown][] = [];
    for (let left = this.open() / 2; left > 0; left--) {
      const name = this.whole();
      if (typeof name !== 'string') throw unreadable('a map key is not a string');
      members.push([name, yield* this.value(level + 1)]);
    }
    // Own members, whatever their names.
    return Object.fromEntries(members);
  }

  private *list(): Steps<readonly unknown[]> {
    const items: unknown[] = [];
    for (let left = this.open(); left > 0; left--) {
      items.push(this.whole());
      yield;
    }
    return items;
  }

  /** Enters the map or list here. @returns its entries */
  private open(): number {
    const head = messageHead(this.raw, this.at);
    if (head === null) throw unreadable('it ends too early');
    this.at += head.headBytes;
    this.count(1);
    // Every entry takes a byte at least, so more entries than bytes are a lie.
    if (head.entries > this.raw.length - this.at) throw unreadable('it announces more entries than it has bytes');
    return head.entries;
  }

  private whole(): unknown {
    const { raw, at, valuesLeft: valuesMax } = this;
    const walked = messageValue(raw, at, { ...STATE_LIMITS, valuesMax });
    if (walked.fault !== null) throw unreadable(walked.fault);
    this.count(walked.values);
    this.at = walked.end;
    return this.codec.unpack(raw.subarray(at, walked.end));
  }

  private count(values: number): void {
    this.valuesLeft -= values;
    if (this.valuesLeft < 0) throw unreadable(`it holds more than ${STATE_LIMITS.valuesMax} values`);
  }
}
