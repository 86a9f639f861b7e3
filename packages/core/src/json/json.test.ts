import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isShoalError } from '../errors/shoal-error.ts';
import { DoubleNumber, FloatNumber, javaDoubleText, javaFloatText } from './java-numbers.ts';
import { isLargeJson, writeJsonInSteps } from './json-steps.ts';
import { jsonNodeValue, parseJsonTree } from './json-tree.ts';
import { parseJson } from './json-value.ts';
import { RawJson, writeJson, writeJsonText } from './json-writer.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const AT = (line: number, col: number) =>
  `[Source: REDACTED (\`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION\` disabled); line: ${line}, column: ${col}]`;

function failure(run: () => unknown): { type: string; reason: string | null } {
  try {
    run();
  } catch (error) {
    if (isShoalError(error)) return { type: error.type, reason: error.reason };
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** Integers beyond 2^53 are kept exact, where JSON.parse rounds them. */
function inDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(inDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inDoubles(inner)]));
}

describe('reading JSON', () => {
  test('gives what JSON.parse gives, for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const expected = JSON.parse(text);
        expect(inDoubles(parseJson(text))).toEqual(expected);
        const tree = parseJsonTree(bytes(text));
        expect(tree && inDoubles(jsonNodeValue(tree))).toEqual(expected);
      }),
    );
  });

  test('reads a number up to 2^53, a bigint beyond', () => {
    expect(parseJson('[9007199254740992,-9007199254740992]')).toEqual([2 ** 53, -(2 ** 53)]);
    expect(parseJson('[9007199254740993,-9007199254740993]')).toEqual([2n ** 53n + 1n, -(2n ** 53n) - 1n]);
    expect(writeJsonText([2 ** 53, -(2 ** 53)])).toBe('[9007199254740992,-9007199254740992]');
  });

  test('keeps longs beyond 2^53 exact', () => {
    expect(parseJson('{"n":9223372036854775807,"d":0.1234567890123456789,"s":12}')).toEqual({
      n: 9223372036854775807n,
      d: 0.12345678901234568,
      s: 12,
    });
  });

  test.each([
    [
      '{"query": {"match": ',
      'json_e_o_f_exception',
      `Unexpected end-of-input within/between Object entries\n at ${AT(1, 21)}`,
    ],
    [
      '{"title": "bad json"',
      'json_e_o_f_exception',
      `Unexpected end-of-input: expected close marker for Object (start marker at ${AT(1, 1)})\n at ${AT(1, 21)}`,
    ],
    [
      '{"a":1\n"b":2}',
      'json_parse_exception',
      `Unexpected character ('"' (code 34)): was expecting comma to separate Object entries\n at ${AT(2, 2)}`,
    ],
    ['{"a":1,"a":2}', 'json_parse_exception', `Duplicate field 'a'\n at ${AT(1, 11)}`],
    [
      '{"a":tru}',
      'json_parse_exception',
      `Unrecognized token 'tru': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at ${AT(1, 9)}`,
    ],
    ['{"a":"x', 'json_e_o_f_exception', `Unexpected end-of-input in VALUE_STRING\n at ${AT(1, 8)}`],
  ])('%j is refused with type, words and place', (text, type, reason) => {
    expect(failure(() => parseJson(text))).toEqual({ type, reason });
    expect(failure(() => parseJsonTree(bytes(text)))).toEqual({ type, reason });
  });

  test('names may be `__proto__`', () => {
    for (const value of [parseJson('{"__proto__":1}'), parseJson('{"__proto__":1,"n":9223372036854775807}')]) {
      expect(Object.keys(value as object)[0]).toBe('__proto__');
    }
  });

  test('a tree knows lines and byte columns', () => {
    const tree = parseJsonTree(bytes('{"é":\n  [1]}'));
    expect(tree).toMatchObject({
      members: [
        { name: 'é', at: { line: 1, col: 2 }, value: { at: { line: 2, col: 3 }, items: [{ at: { col: 4 } }] } },
      ],
    });
  });

  test('too deep is refused, not a stack overflow', () => {
    expect(failure(() => parseJson('['.repeat(5000))).type).toBe('x_content_parse_exception');
  });
});

describe('a number of more digits than anybody needs', () => {
  test.each([parseJson, parseJsonTree])('is refused before it is computed', (read) => {
    const bytes = new TextEncoder().encode(`{"n":${'9'.repeat(5_000_000)}}`);
    expect(() => read(bytes)).toThrow('Number value length (5000000) exceeds the maximum allowed (1000');
  });
});

describe('writing JSON', () => {
  test('compact output reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false } as never), (value) => {
        expect(JSON.parse(writeJsonText(value))).toEqual(
          JSON.parse(JSON.stringify(value, (_, v) => (Object.is(v, -0) ? 0 : v))),
        );
        expect(JSON.parse(writeJsonText(value, { pretty: true }))).toEqual(JSON.parse(writeJsonText(value)));
        const raw = new RawJson(bytes(JSON.stringify(value)));
        expect(writeJsonText({ r: raw }, { pretty: true })).toEqual(
          writeJsonText(
            {
              r: JSON.parse(JSON.stringify(value), (_, v) =>
                typeof v === 'number' ? new RawJson(bytes(String(v))) : v,
              ),
            },
            { pretty: true },
          ),
        );
      }),
    );
  });

  test('pretty is as Elasticsearch prints it', () => {
    const hits = [
      { _id: '2', _score: new FloatNumber(1), _source: new RawJson(bytes('{"n":2,"t":["a", "b"],"e":{},"l":[ ]}')) },
    ];
    expect(writeJsonText({ took: 2, hits, none: [], empty: {} }, { pretty: true })).toBe(`{
  "took" : 2,
  "hits" : [
    {
      "_id" : "2",
      "_score" : 1.0,
      "_source" : {
        "n" : 2,
        "t" : [
          "a",
          "b"
        ],
        "e" : { },
        "l" : [ ]
      }
    }
  ],
  "none" : [ ],
  "empty" : { }
}
`);
  });

  test('bytes of documents pass through untouched', () => {
    const source = bytes('{ "a" :1.50 }');
    expect(Buffer.from(writeJson({ s: new RawJson(source), n: 9223372036854775807n, u: undefined })).toString()).toBe(
      '{"s":{ "a" :1.50 },"n":9223372036854775807}',
    );
  });

  test.each([
    [1.9633707, '1.9633707'],
    [1, '1.0'],
    [0.816522, '0.816522'],
    [1e-5, '1.0E-5'],
    [12345678, '1.2345678E7'],
    [0, '0.0'],
    [-0.001, '-0.001'],
  ])('float %d', (value, text) => expect(javaFloatText(value)).toBe(text));

  test.each([
    [1706745600000, '1.7067456E12'],
    [2.3333333333333335, '2.3333333333333335'],
    [100, '100.0'],
    [-2.5, '-2.5'],
    [1234567.5, '1234567.5'],
  ])('double %d', (value, text) => expect(javaDoubleText(value)).toBe(text));

  test('wrappers know their notation', () => {
    expect(writeJsonText([new DoubleNumber(1), new FloatNumber(0.1)])).toBe('[1.0,0.1]');
  });
});

describe('the shortest digits of a float32', () => {
  // By definition: the fewest digits that are read back as the same number, tried from one on.
  function fewestDigits(single: number): number {
    for (let digits = 0; ; digits++) {
      const read = Number(single.toExponential(digits));
      if (Math.fround(read) === single) return read;
    }
  }
  test('of every power of two, where the neighbours are not equally far', () => {
    for (let exponent = -149; exponent <= 127; exponent++) {
      const single = 2 ** exponent;
      expect(Number(javaFloatText(single)), `2^${exponent}`).toBe(fewestDigits(single));
    }
  });
  test('of any float', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (single) => {
        expect(Math.abs(Number(javaFloatText(single)))).toBe(Math.abs(fewestDigits(single)));
      }),
      { numRuns: 2_000 },
    );
  });
  test('of any that Java prints without an exponent', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 9_999_999, noNaN: true }), fc.boolean(), (size, isNegative) => {
        const single = Math.fround(isNegative ? -size : size);
        expect(Number(javaFloatText(single))).toBe(fewestDigits(single));
      }),
      { numRuns: 5_000 },
    );
  });
  test.each([
    [1, '1.0'],
    [-0, '-0.0'],
    [0.001, '0.001'],
    [0.000999, '9.99E-4'],
    [9_999_999, '9999999.0'],
    [10_000_000, '1.0E7'],
    [5.2364993, '5.2364993'],
    [-16_777_216.5, '-1.6777216E7'],
  ])('%d is %s', (value, text) => {
    expect(javaFloatText(value)).toBe(text);
  });
});

test('parts of an answer are put together as they are, whatever their characters', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.jsonValue())), (pairs) => {
      const value = pairs.map(([text, document]) => ({
        text,
        raw: new RawJson(Buffer.from(JSON.stringify(document))),
        [text]: 1,
      }));
      const plain = pairs.map(([text, document]) => ({ text, raw: document, [text]: 1 }));
      expect(Buffer.from(writeJson(value)).toString()).toBe(Buffer.from(JSON.stringify(plain)).toString());
    }),
  );
});

describe('writing JSON in steps', () => {
  const stepped = (value: unknown, pretty: boolean) => {
    const steps = writeJsonInSteps(value, { pretty });
    let count = 0;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return { text: Buffer.from(step.value).toString('utf8'), steps: count };
      count++;
    }
  };

  test('gives the bytes of writing at once, whatever is large in it', () => {
    const long = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 4 }).map((some) => {
      const items = Array.from({ length: 3_000 }, (_, i) => some[i % some.length]);
      const raw = new RawJson(bytes(JSON.stringify(items)));
      return { items, none: undefined, inside: new Map([['a', { items, raw }]]), raw, of: { 1: items }, empty: [] };
    });
    fc.assert(
      fc.property(fc.oneof(long, fc.jsonValue()), fc.boolean(), (value, pretty) => {
        expect(stepped(value, pretty).text).toBe(writeJsonText(value, { pretty }));
      }),
      { numRuns: 30 },
    );
  });

  test('takes a step for every few thousand values, and none for what is small', () => {
    const buckets = Array.from({ length: 60_000 }, (_, i) => ({ key: `k${i}`, doc_count: i }));
    expect(stepped({ aggregations: { k: { buckets } } }, false).steps).toBeGreaterThan(30);
    expect(stepped({ hits: { hits: buckets.slice(0, 10) } }, false).steps).toBe(0);
  });

  test('looks at no more than it needs to know what is large', () => {
    let looked = 0;
    const item = {
      a: 1,
      get b() {
        looked++;
        return 2;
      },
    };
    expect(isLargeJson(Array.from({ length: 3_000 }, () => item))).toBe(true);
    expect(looked).toBeLessThan(2_000);
    expect(isLargeJson([item, item])).toBe(false);
  });

  test('a document that passes through as it is costs little, one that is indented much', () => {
    const raw = new RawJson(bytes(JSON.stringify('x'.repeat(200_000).split(''))));
    expect(isLargeJson(raw)).toBe(false);
    expect(isLargeJson(raw, { pretty: true })).toBe(true);
    expect(stepped(raw, true).steps).toBeGreaterThan(10);
  });
});
