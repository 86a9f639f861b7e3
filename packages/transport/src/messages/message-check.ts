/**
 * Checks the shape of a msgpack message before it is decoded: everything is there, nothing is nested too deep, no
 * extension types, map keys are strings, and not too many values.
 *
 * A decoder that believes a length before it has seen the bytes reserves hundreds of megabytes for five bytes, and deep
 * nesting overflows its stack. After this pass a message can cost only a small multiple of its own size, whatever the
 * library does. One linear walk, no allocation besides a stack of bounded depth.
 */

/** Deepest nesting of lists and maps in a message. */
const MESSAGE_DEPTH_MAX = 200;
/**
 * Values of a message, keys of maps included. An empty map takes a byte here and seventy as an object, and compressed
 * frames grow two hundred times before that. Twice what a search of the largest body holds.
 */
export const MESSAGE_VALUES_MAX = 2_000_000;

export interface MessageLimits {
  readonly depthMax: number;
  readonly valuesMax: number;
}

export const MESSAGE_LIMITS: MessageLimits = { depthMax: MESSAGE_DEPTH_MAX, valuesMax: MESSAGE_VALUES_MAX };

/** Null when `bytes` hold exactly one well-formed message within the limits, else what is wrong with it. */
export function messageFault(bytes: Uint8Array, limits: MessageLimits = MESSAGE_LIMITS): string | null {
  const { fault, end } = messageValue(bytes, 0, limits);
  if (fault !== null) return fault;
  return end === bytes.length ? null : `${bytes.length - end} bytes follow it`;
}

/** One value among others, checked as a message is. */
export interface MessageValue {
  /** What is wrong with it; null: it is well-formed and within the limits. */
  readonly fault: string | null;
  /** Offset behind it; -1 with a fault. */
  readonly end: number;
  /** Values that it holds, itself included. */
  readonly values: number;
}

/** The value that begins at an offset. */
export function messageValue(
  bytes: Uint8Array,
  from: number,
  { depthMax, valuesMax }: MessageLimits = MESSAGE_LIMITS,
): MessageValue {
  const faulty = (fault: string): MessageValue => ({ fault, end: -1, values: 0 });
  // Per open container: entries left (a map counts keys and values), and whether it is a map.
  const left: number[] = [1];
  const isMap: boolean[] = [false];
  let depth = 0;
  let awaited = 1; // Entries announced by all open containers and not seen yet.
  let values = 0;
  let at = from;
  const end = bytes.length;
  while (depth >= 0) {
    const remaining = left[depth] as number; // Written when this depth was entered.
    if (remaining === 0) {
      depth--;
      continue;
    }
    left[depth] = remaining - 1;
    awaited--;
    if (values++ === valuesMax) return faulty(`it holds more than ${valuesMax} values`);
    if (at >= end) return faulty('it ends too early');
    const tag = bytes[at] as number;
    if (isMap[depth] === true && remaining % 2 === 0 && !isStringTag(tag)) return faulty('a map key is not a string');
    const scalar = scalarBytes(bytes, at);
    if (scalar > 0) {
      at += scalar;
      if (at > end) return faulty('it ends too early');
      continue;
    }
    const open = messageHead(bytes, at);
    if (open === null) return faulty(`it holds the tag 0x${tag.toString(16)}, which is not used here`);
    at += open.headBytes;
    // Every entry takes a byte at least, so more entries than bytes are a lie.
    awaited += open.entries;
    if (awaited > end - at) return faulty('it announces more entries than it has bytes');
    if (depth === depthMax) return faulty(`it is nested deeper than ${depthMax}`);
    depth++;
    left[depth] = open.entries;
    isMap[depth] = open.isMap;
  }
  return { fault: null, end: at, values };
}

function isStringTag(tag: number): boolean {
  return (tag >= 0xa0 && tag <= 0xbf) || (tag >= 0xd9 && tag <= 0xdb);
}

/** Bytes of the scalar at `at` with its tag (maybe past the end); 0 when it is a container or unknown. */
function scalarBytes(bytes: Uint8Array, at: number): number {
  const tag = bytes[at] as number;
  if (tag <= 0x7f || tag >= 0xe0) return 1;
  if (tag >= 0xa0 && tag <= 0xbf) return 1 + (tag & 0x1f);
  switch (tag) {
    case 0xc0: // nil
    case 0xc2: // false
    case 0xc3: // true
      return 1;
    case 0xcc: // unsigned 8
    case 0xd0: // signed 8
      return 2;
    case 0xcd: // unsigned 16
    case 0xd1: // signed 16
      return 3;
    case 0xce: // unsigned 32
    case 0xd2: // signed 32
    case 0xca: // float 32
      return 5;
    case 0xcf: // unsigned 64
    case 0xd3: // signed 64
    case 0xcb: // float 64
      return 9;
    case 0xc4: // bytes 8
    case 0xd9: // string 8
      return 2 + number8(bytes, at + 1);
    case 0xc5: // bytes 16
    case 0xda: // string 16
      return 3 + number16(bytes, at + 1);
    case 0xc6: // bytes 32
    case 0xdb: // string 32
      return 5 + number32(bytes, at + 1);
    default:
      return 0;
  }
}

/** Head of a map or list. */
export interface MessageHead {
  readonly headBytes: number;
  /** Items of a list; keys and values of a map. */
  readonly entries: number;
  readonly isMap: boolean;
}

/** Head of the map or list that begins at an offset; null where something else does. */
export function messageHead(bytes: Uint8Array, at: number): MessageHead | null {
  const tag = bytes[at] as number;
  if (tag >= 0x80 && tag <= 0x8f) return { headBytes: 1, entries: 2 * (tag & 0x0f), isMap: true };
  if (tag >= 0x90 && tag <= 0x9f) return { headBytes: 1, entries: tag & 0x0f, isMap: false };
  switch (tag) {
    case 0xdc:
      return { headBytes: 3, entries: number16(bytes, at + 1), isMap: false };
    case 0xdd:
      return { headBytes: 5, entries: number32(bytes, at + 1), isMap: false };
    case 0xde:
      return { headBytes: 3, entries: 2 * number16(bytes, at + 1), isMap: true };
    case 0xdf:
      return { headBytes: 5, entries: 2 * number32(bytes, at + 1), isMap: true };
    default:
      return null;
  }
}

// Past the end a byte counts as zero: the caller sees by the position that the message is cut.
function number8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

function number16(bytes: Uint8Array, at: number): number {
  return number8(bytes, at) * 0x100 + number8(bytes, at + 1);
}

function number32(bytes: Uint8Array, at: number): number {
  return number16(bytes, at) * 0x1_0000 + number16(bytes, at + 2);
}
