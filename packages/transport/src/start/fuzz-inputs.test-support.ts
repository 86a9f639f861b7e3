/**
 * Inputs for the fuzz test: random bytes, and real frames damaged in ways that reach every layer. Reproducible from a seed.
 *
 * Most damaged frames get their checksum repaired afterwards, or all of them would end at the checksum.
 */
import { crc32, deflateRawSync } from 'node:zlib';
import type { NodeIdentity, NodeKind } from '../channel/node-identity.ts';
import { testIdentity } from '../channel/transport.test-support.ts';
import {
  EMPTY_META,
  FLAG_CANCEL,
  FLAG_COMPRESSED,
  FLAG_ERROR,
  FLAG_HANDSHAKE,
  FLAG_PING,
  FLAG_PONG,
  FLAG_REQUEST,
  writeMeta,
} from '../frames/frame.ts';
import { FrameEncoder, type OutboundFrame } from '../frames/frame-encoder.ts';
import { MESSAGE_VALUES_MAX } from '../messages/message-check.ts';
import { createMessageCodec } from '../messages/message-codec.ts';
import { writeHello, writeHelloAnswer } from '../sockets/handshake.ts';

export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Mulberry32. */
  u32(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  below(n: number): number {
    return this.u32() % n;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  bytes(count: number): Buffer {
    const out = Buffer.alloc(count);
    for (let i = 0; i < count; i++) out[i] = this.u32();
    return out;
  }
}

const identity: NodeIdentity = { ...testIdentity('fuzzer'), address: { host: '127.0.0.1', port: 1 } };
const codec = createMessageCodec();
const encoder = new FrameEncoder({ codec, version: 10_000, frameBytesMax: 2 ** 20, checksum: true });

function encode(frame: OutboundFrame, compress = false): Buffer {
  return Buffer.concat(encoder.encode(frame, compress).chunks);
}

function requestOf(action: string | null, message: unknown, sections: Uint8Array[] = [], compress = false): Buffer {
  const meta = { ...EMPTY_META, action, timeoutMs: 100, parentTask: 'n:1', headers: { 'X-Opaque-Id': 'f' } };
  return encode({ flags: FLAG_REQUEST, requestId: 1, meta, body: { message, sections } }, compress);
}

/** `channel` lets the same fuzz reach counted and uncounted sockets, `kind` what only some may ask for. */
export function helloFrame(channel: 'reg' | 'bulk' | 'ping', nonce: string, kind: NodeKind = 'node'): Buffer {
  const hello = {
    revision: 1,
    minimumVersion: '0.1.0',
    identity: { ...identity, kind },
    purpose: 'node' as const,
    channel,
    nonce,
    frameBytesMax: 1e6,
  };
  const body = { message: writeHello(hello) };
  return encode({ flags: FLAG_HANDSHAKE | FLAG_REQUEST, requestId: 0, meta: EMPTY_META, body });
}

export function helloAnswerFrame(): Buffer {
  const answer = { revision: 1, minimumVersion: '0.1.0', identity, frameBytesMax: 1e6, refusal: null };
  const body = { message: writeHelloAnswer(answer) };
  return encode({ flags: FLAG_HANDSHAKE, requestId: 0, meta: EMPTY_META, body });
}

const message = {
  n: 7,
  text: 'shoal',
  list: [1, 2.5, null, true, { deep: [[[]]] }],
  big: 2n ** 60n,
  bytes: new Uint8Array(20),
};
const wireError = {
  type: 'x',
  reason: 'y',
  status: 500,
  metadata: {},
  details: {},
  causedBy: null,
  rootCauses: [],
  suppressed: [],
};

/** One of each kind of frame there is. */
const REAL_FRAMES: readonly Buffer[] = [
  helloFrame('reg', 'nonce'),
  helloAnswerFrame(),
  requestOf('test:echo', message),
  requestOf('test:echo', message, [new Uint8Array(5), new Uint8Array(64)]),
  requestOf('test:echo', { text: 'a'.repeat(3000) }, [new Uint8Array(100)], true),
  requestOf('test:typed', { n: 7 }),
  requestOf('test:throw', null),
  requestOf('test:unknown', [message, message]),
  requestOf(null, 1),
  encode({ flags: FLAG_PING, requestId: 3, meta: EMPTY_META, body: null }),
  encode({ flags: FLAG_PONG, requestId: 3, meta: EMPTY_META, body: null }),
  encode({ flags: FLAG_CANCEL, requestId: 1, meta: EMPTY_META, body: null }),
  encode({ flags: 0, requestId: 1, meta: EMPTY_META, body: { message, sections: [new Uint8Array(9)] } }),
  encode({ flags: FLAG_ERROR, requestId: 1, meta: EMPTY_META, body: { message: wireError } }),
];

/** Values that programs trip over, as bytes. */
const NASTY_BYTES = [0, 1, 0x7f, 0x80, 0x90, 0xc1, 0xc4, 0xc7, 0xd4, 0xd9, 0xdc, 0xdd, 0xdf, 0xff];
const FOREIGN = [
  'GET / HTTP/1.1\r\n\r\n',
  'HTTP/1.1 200 OK\r\n\r\n',
  '\x16\x03\x01\x00\xa5',
  'ES\x00\x00\x00\x01\x01\x01',
];

/** Small on the wire, millions of objects in memory: compressed, and each value as short as there is one. */
function bomb(tag: number): Buffer {
  const values = MESSAGE_VALUES_MAX + 1;
  const packed = Buffer.alloc(5 + values, tag);
  packed[0] = 0xdd;
  packed.writeUInt32BE(values, 1);
  const raw = Buffer.concat([Buffer.alloc(4), packed]);
  raw.writeUInt32BE(packed.byteLength, 0);
  const body = deflateRawSync(raw, { level: 1 });
  const meta = Buffer.from(codec.encode(writeMeta({ ...EMPTY_META, action: 'test:echo', rawBytes: raw.byteLength })));
  const head = Buffer.alloc(28);
  head.set([0xe5, 0x53, 1, FLAG_REQUEST | FLAG_COMPRESSED]);
  head.writeUInt32BE(20 + meta.byteLength + body.byteLength, 4);
  head.writeUInt32BE(1, 12);
  head.writeUInt32BE(10_000, 16);
  head.writeUInt16BE(meta.byteLength, 24);
  return repaired(Buffer.concat([head, meta, body]));
}

let bombs: readonly Buffer[] | null = null;

/** One input: bytes for a fresh socket. */
export function fuzzInput(dice: Dice): Buffer {
  // Rare: each takes milliseconds.
  if (dice.below(2_000) === 0) {
    bombs ??= [0x80, 0x90, 0xc0, 0xa0].map(bomb);
    return dice.pick(bombs);
  }
  if (dice.chance(10)) return dice.bytes(dice.below(200));
  if (dice.chance(3)) return Buffer.concat([Buffer.from(dice.pick(FOREIGN), 'latin1'), dice.bytes(dice.below(40))]);
  if (dice.chance(10)) return withMagic(dice.bytes(28 + dice.below(100)), dice);
  const frames = [damaged(dice.pick(REAL_FRAMES), dice)];
  while (dice.chance(25) && frames.length < 5) {
    frames.push(dice.chance(50) ? dice.pick(REAL_FRAMES) : damaged(dice.pick(REAL_FRAMES), dice));
  }
  return Buffer.concat(frames);
}

/** Random bytes behind a header that is right in what is checked first. */
function withMagic(bytes: Buffer, dice: Dice): Buffer {
  bytes.set([0xe5, 0x53, 1], 0);
  bytes.writeUInt32BE(bytes.byteLength - 8, 4);
  bytes.writeUInt32BE(dice.below(4), 8);
  if (dice.chance(80)) bytes.writeUInt16BE(dice.below(20), 24);
  if (dice.chance(80)) bytes.writeUInt16BE(dice.below(4), 26);
  return repaired(bytes);
}

function damaged(frame: Buffer, dice: Dice): Buffer {
  let bytes: Buffer = Buffer.from(frame);
  const rounds = 1 + dice.below(4);
  for (let i = 0; i < rounds; i++) bytes = damageOnce(bytes, dice);
  if (bytes.byteLength < 28) return bytes;
  if (dice.chance(70)) bytes.writeUInt32BE(bytes.byteLength - 8, 4);
  return dice.chance(80) ? repaired(bytes) : bytes;
}

function damageOnce(bytes: Buffer, dice: Dice): Buffer {
  if (bytes.byteLength === 0) return dice.bytes(1);
  // Mostly behind the magic, so that the damage is looked at.
  const from = dice.chance(5) ? 0 : Math.min(3, bytes.byteLength - 1);
  const at = from + dice.below(bytes.byteLength - from);
  switch (dice.below(7)) {
    case 0:
      bytes[at] = bytes[at]! ^ (1 << dice.below(8));
      return bytes;
    case 1:
      bytes[at] = dice.pick(NASTY_BYTES);
      return bytes;
    case 2:
      return bytes.subarray(0, at);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), dice.bytes(dice.below(20)), bytes.subarray(at)]);
    case 4:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.min(bytes.byteLength, at + dice.below(20)))]);
    case 5:
      if (at + 4 <= bytes.byteLength) bytes.writeUInt32BE(dice.pick([0, 1, 0xffff, 0x7fff_ffff, 0xffff_ffff]), at);
      return bytes;
    default:
      return Buffer.concat([bytes, dice.pick(REAL_FRAMES).subarray(28)]);
  }
}

function repaired(bytes: Buffer): Buffer {
  bytes.writeUInt32BE(crc32(bytes.subarray(28), crc32(bytes.subarray(2, 20))), 20);
  return bytes;
}
