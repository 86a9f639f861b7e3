import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMessageCodec } from '../messages/message-codec.ts';
import { EMPTY_META, FLAG_COMPRESSED, FLAG_REQUEST, FrameError, type FrameHeader, type FrameMeta } from './frame.ts';
import { FrameDecoder, type InboundFrame } from './frame-decoder.ts';
import { FrameEncoder, type OutboundFrame } from './frame-encoder.ts';

const LIMIT = 1024 * 1024;
const codec = createMessageCodec();
const encoder = new FrameEncoder({ codec, version: 10_000, frameBytesMax: LIMIT, checksum: true });

interface Heard {
  readonly frames: InboundFrame[];
  readonly skipped: number[];
  readonly unreadable: string[];
  readonly admitted: number[];
}

function listen(admits: (header: FrameHeader, meta: FrameMeta) => boolean = () => true, frameBytesMax = LIMIT) {
  const heard: Heard = { frames: [], skipped: [], unreadable: [], admitted: [] };
  const decoder = new FrameDecoder(
    {
      admit: (header, meta, bytes) => {
        heard.admitted.push(bytes);
        return admits(header, meta);
      },
      frame: (frame) => heard.frames.push(frame),
      skipped: (header) => heard.skipped.push(header.requestId),
      unreadable: (_header, _meta, reason) => heard.unreadable.push(reason),
    },
    { codec, frameBytesMax, checksum: true },
  );
  return { decoder, heard };
}

function bytesOf(frame: OutboundFrame, compress = false): Buffer {
  const encoded = encoder.encode(frame, compress);
  const joined = Buffer.concat(encoded.chunks);
  expect(joined.byteLength).toBe(encoded.bytes);
  return joined;
}

function decodeAll(bytes: Uint8Array): InboundFrame[] {
  const { decoder, heard } = listen();
  decoder.push(bytes);
  return heard.frames;
}

const request: OutboundFrame = {
  flags: FLAG_REQUEST,
  requestId: 2 ** 53 - 1,
  meta: { action: 'a:b', timeoutMs: 5, parentTask: 'n:1', headers: { k: 'v' }, rawBytes: null },
  body: { message: { q: [1, 2.5, 'ü', null, true, 2n ** 62n] }, sections: [new Uint8Array([9]), new Uint8Array(17)] },
};

describe('a frame', () => {
  test('decodes to what was encoded', () => {
    const [frame] = decodeAll(bytesOf(request));
    expect(frame).toMatchObject({ meta: request.meta, message: request.body?.message });
    expect(frame?.header).toMatchObject({
      flags: FLAG_REQUEST,
      requestId: 2 ** 53 - 1,
      version: 10_000,
      sectionCount: 2,
    });
    expect(frame?.sections.map((section) => [...section])).toEqual([[9], [...new Uint8Array(17)]]);
  });

  test('of the header alone is a frame too', () => {
    const bytes = bytesOf({ flags: 64, requestId: 7, meta: EMPTY_META, body: null });
    expect(bytes.byteLength).toBe(28);
    expect(decodeAll(Buffer.concat([bytes, bytes]))).toHaveLength(2);
  });

  test('decodes whatever the cut into two chunks, and byte by byte', () => {
    const stream = Buffer.concat([bytesOf(request), bytesOf(request, true), bytesOf(request)]);
    const whole = decodeAll(stream);
    expect(whole).toHaveLength(3);
    for (let cut = 0; cut <= stream.byteLength; cut++) {
      const { decoder, heard } = listen();
      decoder.push(stream.subarray(0, cut));
      decoder.push(stream.subarray(cut));
      expect(heard.frames).toEqual(whole);
    }
    const { decoder, heard } = listen();
    for (let at = 0; at < stream.byteLength; at++) decoder.push(stream.subarray(at, at + 1));
    expect(heard.frames).toEqual(whole);
  });

  test('of any plain value and sections, compressed or not, in any chunks, comes back equal and aligned', () => {
    const value = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constant(null),
        fc.boolean(),
        // Zero has one sign on the wire.
        fc.double({ noNaN: true }).map((n) => n + 0),
        fc.maxSafeInteger(),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).filter((n) => n > 2n ** 53n || n < -(2n ** 53n)),
        fc.string({ unit: 'grapheme' }),
        fc.array(tie('tree'), { maxLength: 5 }),
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          tie('tree'),
          { maxKeys: 5, noNullPrototype: true },
        ),
      ),
    })).tree;
    const sections = fc.array(fc.uint8Array({ maxLength: 9000 }), { maxLength: 4 });
    fc.assert(
      fc.property(
        value,
        sections,
        fc.boolean(),
        fc.integer({ min: 1, max: 5000 }),
        (message, parts, compress, step) => {
          const bytes = bytesOf({ ...request, body: { message, sections: parts } }, compress);
          const { decoder, heard } = listen();
          for (let at = 0; at < bytes.byteLength; at += step) decoder.push(bytes.subarray(at, at + step));
          expect(heard.frames).toHaveLength(1);
          const [frame] = heard.frames;
          expect(frame?.message).toEqual(message);
          expect(frame?.sections.map((section) => new Uint8Array(section))).toEqual(parts);
          for (const section of frame?.sections ?? []) expect(section.byteOffset % 8).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('is compressed when that saves a tenth, and only then', () => {
    const easy = bytesOf({ ...request, body: { message: 'x'.repeat(10_000) } }, true);
    expect(easy[3]).toBe(FLAG_REQUEST | FLAG_COMPRESSED);
    expect(easy.byteLength).toBeLessThan(300);
    const zeros = bytesOf({ ...request, body: { message: null, sections: [new Uint8Array(500_000)] } }, true);
    expect(zeros[3]).toBe(FLAG_REQUEST);
    expect(decodeAll(zeros)[0]?.sections[0]?.byteLength).toBe(500_000);
    const short = bytesOf({ ...request, body: { message: 'x'.repeat(100) } }, true);
    expect(short[3]).toBe(FLAG_REQUEST);
    let seed = 1;
    const random = new Uint8Array(5000).map(() => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed >>> 24;
    });
    expect(bytesOf({ ...request, body: { message: null, sections: [random] } }, true)[3]).toBe(FLAG_REQUEST);
  });
});

describe('a stream that is not one of frames', () => {
  function refusal(bytes: Uint8Array, frameBytesMax = LIMIT): FrameError {
    const { decoder, heard } = listen(() => true, frameBytesMax);
    try {
      decoder.push(bytes);
    } catch (error) {
      expect(heard.frames).toEqual([]);
      decoder.push(bytes); // Stopped: the rest is ignored.
      if (error instanceof FrameError) return error;
    }
    throw new Error('was not refused');
  }
  const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
  const changed = (at: number, value: number, frame = request, compress = false): Buffer => {
    const bytes = bytesOf(frame, compress);
    bytes[at] = value;
    return bytes;
  };

  test.each([
    ['GET / HTTP/1.1\r\n', 'http', 'received HTTP request on transport port'],
    ['POST /_bulk HTTP', 'http', 'received HTTP request on transport port'],
    ['HTTP/1.1 400 Bad', 'foreign', 'received HTTP response on transport port'],
    ['\x16\x03\x01\x02\x00\x01\x00\x01', 'foreign', 'SSL/TLS request received but SSL/TLS is not enabled'],
    ['ES\x00\x00\x00\x37\x00\x00', 'foreign', 'an Elasticsearch/OpenSearch node connected'],
    ['\x01\x02\x03\x04\x05\x06\x07\x08', 'foreign', 'invalid internal transport message format, got (1,2,3,4)'],
  ])('%j is told apart', (text, kind, message) => {
    const error = refusal(ascii(text));
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(message);
  });

  test('of another protocol revision is refused with both numbers', () => {
    expect(refusal(changed(2, 9)).message).toBe(
      'Received message from unsupported version: [9] minimal compatible version is: [1]',
    );
  });

  test('that announces too much is refused before anything is allocated', () => {
    const prefix = bytesOf(request).subarray(0, 8);
    prefix.writeUInt32BE(0xffff_ffff, 4);
    expect(refusal(prefix).message).toBe(`transport content length received [4294967295] exceeded [${LIMIT}]`);
    expect(refusal(bytesOf(request), 64).kind).toBe('tooLong');
    prefix.writeUInt32BE(19, 4);
    expect(refusal(prefix).kind).toBe('damaged');
  });

  test('whose bytes were changed fails the checksum, wherever the change is', () => {
    const bytes = bytesOf(request);
    for (let at = 28; at < bytes.byteLength; at++) {
      expect(refusal(changed(at, (bytes[at] ?? 0) ^ 0x10)).kind).toBe('damaged');
    }
    for (const at of [3, 9, 15, 16, 19, 20, 23])
      expect(refusal(changed(at, (bytes[at] ?? 0) ^ 0x01)).kind).toBe('damaged');
  });

  test('with a compressed body that claims to grow without measure is refused', () => {
    const meta = { ...request.meta, rawBytes: 900_000 };
    const plain = new FrameEncoder({ codec, version: 1, frameBytesMax: LIMIT, checksum: true });
    const bytes = Buffer.concat(
      plain.encode({ ...request, meta, flags: FLAG_REQUEST | FLAG_COMPRESSED }, false).chunks,
    );
    expect(refusal(bytes).message).toContain('claims a raw size of [900000]');
  });
});

describe('a frame that is not let in', () => {
  test('is skipped to its end, and the next one is read', () => {
    const stream = Buffer.concat([bytesOf({ ...request, requestId: 1 }), bytesOf({ ...request, requestId: 2 })]);
    for (const step of [1, 7, stream.byteLength]) {
      const { decoder, heard } = listen((header) => header.requestId !== 1);
      for (let at = 0; at < stream.byteLength; at += step) decoder.push(stream.subarray(at, at + step));
      expect(heard.skipped).toEqual([1]);
      expect(heard.frames.map((frame) => frame.header.requestId)).toEqual([2]);
    }
  });

  test('is asked for with what it would hold, decompressed too', () => {
    const { decoder, heard } = listen();
    const bytes = bytesOf({ ...request, body: { message: 'x'.repeat(10_000) } }, true);
    decoder.push(bytes);
    expect(heard.admitted).toEqual([bytes.byteLength - 8 + 10_003 + 4]);
  });
});

describe('a message inside a sound frame', () => {
  test('that is not well formed is told with its frame, and the stream goes on', () => {
    const { decoder, heard } = listen();
    // Packed bytes that are no message: a map whose key is a number.
    const odd = { encode: () => new Uint8Array([0x81, 0x01, 0x02]), decode: codec.decode };
    const encodeOdd = new FrameEncoder({ codec: odd, version: 1, frameBytesMax: LIMIT, checksum: true });
    const frame = { flags: 0, requestId: 3, meta: EMPTY_META, body: { message: null } };
    decoder.push(Buffer.concat(encodeOdd.encode(frame, false).chunks));
    decoder.push(bytesOf(request));
    expect(heard.unreadable).toEqual(['a map key is not a string']);
    expect(heard.frames).toHaveLength(1);
  });

  test.each([
    ['an array of 30 million entries in five bytes', [0xdd, 0x01, 0xc9, 0xc3, 0x80], 'more entries than it has bytes'],
    ['nested arrays of which each claims all that is left', [0xdc, 0, 4, 0xdc, 0, 4, 0, 0, 0], 'more entries'],
    ['deep nesting', Array.from({ length: 200_000 }, () => 0x91), 'nested deeper than 200'],
    ['an extension type', [0xd4, 0x00, 0x00], 'tag 0xd4'],
    ['the tag that is never used', [0xc1], 'tag 0xc1'],
    ['a cut string', [0xd9, 0x05, 0x61], 'ends too early'],
    [
      'millions of empty maps',
      [0xdd, 0, 0x1e, 0x84, 0x81, ...new Uint8Array(2_000_001).fill(0x80)],
      'more than 2000000 values',
    ],
    ['a second message', [0xc0, 0xc0], 'bytes follow it'],
    ['nothing', [], 'ends too early'],
  ])('%s is refused', (_name, bytes, reason) => {
    expect(codec.decode(new Uint8Array(bytes))).toMatchObject({
      kind: 'fault',
      reason: expect.stringContaining(reason),
    });
  });

  test('named __proto__ pollutes nothing', () => {
    const bytes = new Uint8Array([0x81, 0xa9, ...Buffer.from('__proto__'), 0x81, 0xa1, 0x78, 0x01]);
    const decoded = codec.decode(bytes);
    expect(decoded.kind).toBe('value');
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    expect(Object.getPrototypeOf(decoded.kind === 'value' ? decoded.value : null)).toBe(Object.prototype);
  });
});
