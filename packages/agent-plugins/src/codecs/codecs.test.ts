import { createEvent, eventFromJson, type LogEvent, Timestamp } from '@shoal/agent-event';
import type { Codec } from '@shoal/agent-plugin-kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytes, makeCodec } from '../plugin-instance.test-support.ts';

function decodeAll(codec: Codec, ...chunks: readonly string[]): LogEvent[] {
  const decoder = codec.decoder();
  const events = chunks.flatMap((chunk) => [...decoder.decode(bytes(chunk))]);
  return [...events, ...decoder.flush()];
}
const messages = (events: readonly LogEvent[]) => events.map((event) => event.fields.get('message'));
const textOf = (codec: Codec, event: LogEvent) => Buffer.from(codec.encode(event)).toString('utf8');

function sample(): LogEvent {
  return createEvent(
    new Map<string, never>([
      ['@timestamp', new Timestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 678))],
      ['host', 'web'],
      ['message', 'hello'],
    ] as never),
  );
}

describe('plain', () => {
  test('makes one event of a unit', () => {
    expect(messages(decodeAll(makeCodec('plain'), 'a\nb'))).toEqual(['a\nb']);
  });
  test('prints time, host and message, or the format', () => {
    expect(textOf(makeCodec('plain'), sample())).toBe('2026-01-02T03:04:05.678Z web hello');
    expect(textOf(makeCodec('plain', { format: '%{message}!' }), sample())).toBe('hello!');
  });
  test('reads other charsets', () => {
    const decoder = makeCodec('plain', { charset: 'ISO-8859-1' }).decoder();
    expect(messages([...decoder.decode(new Uint8Array([0xe9]))])).toEqual(['é']);
  });
});

describe('line', () => {
  test('keeps the carriage return and gives the rest at the end', () => {
    expect(messages(decodeAll(makeCodec('line'), 'a\r\nb', 'c\n', '\nd'))).toEqual(['a\r', 'bc', '', 'd']);
  });
  test('cuts at any delimiter, wherever the chunks are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[ab]{1,5}$/), { minLength: 1 }),
        fc.integer({ min: 1, max: 7 }),
        (lines, size) => {
          const text = lines.join('|+|');
          const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
            text.slice(i * size, (i + 1) * size),
          );
          expect(messages(decodeAll(makeCodec('line', { delimiter: '|+|' }), ...chunks))).toEqual(lines);
        },
      ),
    );
  });
  test('writes the delimiter, with escapes as configurations hold them', () => {
    expect(textOf(makeCodec('line', { format: '%{message}', delimiter: '\\r\\n' }), sample())).toBe('hello\r\n');
  });
});

describe('json', () => {
  test('makes an event of an object and one of each item of an array', () => {
    expect(decodeAll(makeCodec('json'), '{"a":1}')[0]?.fields.get('a')).toBe(1);
    expect(decodeAll(makeCodec('json'), '[{"a":1},{"a":2}]').map((event) => event.fields.get('a'))).toEqual([1, 2]);
  });
  test('tags what is no JSON', () => {
    const [event] = decodeAll(makeCodec('json'), '{"a":');
    expect(event?.fields.get('message')).toBe('{"a":');
    expect(event?.hasTag('_jsonparsefailure')).toBe(true);
  });
  test('puts the object below the target', () => {
    const [event] = decodeAll(makeCodec('json', { target: '[x]' }), '{"a":1}');
    expect(event?.fields.get('x')).toEqual(new Map([['a', 1]]));
  });
  test('writes no newline', () => {
    expect(JSON.parse(textOf(makeCodec('json'), sample()))).toMatchObject({ message: 'hello', '@version': '1' });
    expect(textOf(makeCodec('json'), sample())).not.toContain('\n');
  });
});

describe('json_lines', () => {
  test('reads and writes a line each', () => {
    const events = decodeAll(makeCodec('json_lines'), '{"a":1}\n{"a"', ':2}\n{"a":3}');
    expect(events.map((event) => event.fields.get('a'))).toEqual([1, 2, 3]);
    expect(textOf(makeCodec('json_lines'), sample()).endsWith('}\n')).toBe(true);
  });
  test('tags a line beyond the limit', () => {
    const [event] = decodeAll(makeCodec('json_lines', { decode_size_limit_bytes: 8 }), '{"abc":12345}\n');
    expect(event?.hasTag('_jsonparsetoobigfailure')).toBe(true);
  });
});

describe('multiline', () => {
  test('previous: lines that match join the one before', () => {
    const codec = makeCodec('multiline', { pattern: '^\\s', what: 'previous' });
    const events = decodeAll(codec, 'error', '  at a', '  at b', 'next');
    expect(messages(events)).toEqual(['error\n  at a\n  at b', 'next']);
    expect(events[0]?.hasTag('multiline')).toBe(true);
    expect(events[1]?.hasTag('multiline')).toBe(false);
  });
  test('negate with a grok pattern: what does not start with a time belongs to the one before', () => {
    const codec = makeCodec('multiline', { pattern: '^%{TIMESTAMP_ISO8601} ', negate: true, what: 'previous' });
    const events = decodeAll(codec, '2026-01-02T03:04:05 a', 'b', '2026-01-02T03:04:06 c');
    expect(messages(events)).toEqual(['2026-01-02T03:04:05 a\nb', '2026-01-02T03:04:06 c']);
  });
  test('next: lines that match join the one after', () => {
    const codec = makeCodec('multiline', { pattern: '\\\\$', what: 'next' });
    expect(messages(decodeAll(codec, 'a \\', 'b', 'c'))).toEqual(['a \\\nb', 'c']);
  });
  test('an event ends at its limit of lines', () => {
    const codec = makeCodec('multiline', { pattern: '^ ', what: 'previous', max_lines: 2 });
    const events = decodeAll(codec, 'a', ' b', ' c');
    expect(messages(events)).toEqual(['a\n b', ' c']);
    expect(events[0]?.hasTag('multiline_codec_max_lines_reached')).toBe(true);
  });
});

describe('rubydebug', () => {
  test('aligns names, prints times bare and arrays with indexes', () => {
    const event = eventFromJson({
      '@timestamp': '2026-01-02T03:04:05.678Z',
      message: 'a "b"\n',
      tags: ['x'],
      n: null,
      m: { k: 1.5 },
    });
    expect(textOf(makeCodec('rubydebug'), event)).toBe(`{
    "@timestamp" => 2026-01-02T03:04:05.678Z,
       "message" => "a \\"b\\"\\n",
          "tags" => [
        [0] "x"
    ],
             "n" => nil,
             "m" => {
        "k" => 1.5
    },
      "@version" => "1"
}
`);
  });
  test('shows metadata when asked', () => {
    const event = eventFromJson({ '@metadata': { a: 1 } });
    expect(textOf(makeCodec('rubydebug', { metadata: true }), event)).toContain('"@metadata" => {\n        "a" => 1');
  });
});

describe('csv', () => {
  test('names columns, generates missing names, converts', () => {
    const codec = makeCodec('csv', { columns: ['a', 'b'], convert: { a: 'integer' } });
    const [event] = decodeAll(codec, '1,"x, ""y""",z');
    expect(event?.fields.get('a')).toBe(1);
    expect(event?.fields.get('b')).toBe('x, "y"');
    expect(event?.fields.get('column3')).toBe('z');
  });
  test('takes names from the first row', () => {
    const [event] = decodeAll(makeCodec('csv', { autodetect_column_names: true }), 'a,b\n1,2\n');
    expect(event?.fields.get('b')).toBe('2');
  });
  test('tags a quote that is never closed', () => {
    expect(decodeAll(makeCodec('csv'), '"a')[0]?.hasTag('_csvparsefailure')).toBe(true);
  });
  test('writes the header once', () => {
    const codec = makeCodec('csv', { columns: ['message', 'nothing'], include_headers: true });
    expect(textOf(codec, sample())).toBe('message,nothing\nhello,\n');
    expect(textOf(codec, sample())).toBe('hello,\n');
  });
});

describe('msgpack', () => {
  test('what it writes it reads, wherever the stream is cut', () => {
    const codec = makeCodec('msgpack');
    const packed = Buffer.concat([codec.encode(sample()), codec.encode(sample())]);
    for (let cut = 1; cut < packed.length; cut++) {
      const decoder = codec.decoder();
      const events = [...decoder.decode(packed.subarray(0, cut)), ...decoder.decode(packed.subarray(cut))];
      expect(messages(events)).toEqual(['hello', 'hello']);
      expect(events[0]?.timestamp?.toString()).toBe('2026-01-02T03:04:05.678Z');
    }
  });
  test('tags what is no msgpack', () => {
    const decoder = makeCodec('msgpack').decoder();
    expect(decoder.decode(new Uint8Array([0xc1]))[0]?.hasTag('_msgpackparsefailure')).toBe(true);
  });
});

test('dots writes a dot', () => expect(textOf(makeCodec('dots'), sample())).toBe('.'));
