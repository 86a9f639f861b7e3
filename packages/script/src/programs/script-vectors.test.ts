/** Scripts as vectors: of each document they give what the compiled script gives, or say that they do not know. */
import { isShoalError } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DocumentFields, FieldValues } from '../library/document-values.ts';
import type { JavaMap } from '../values/java-map.ts';
import { fromPlain } from '../values/json-values.ts';
import { VECTOR_DOCS, type VectorColumn } from '../vectors/vector.ts';
import { compileScript, type ScriptProgram } from './compile-script.ts';
import { FILTER_CONTEXT, NUMBER_SORT_CONTEXT } from './script-context.ts';

type Values = readonly (readonly number[])[];
interface Field {
  readonly type: VectorColumn['type'];
  readonly values: Values;
}

const FIELDS: Readonly<Record<string, Field>> = {
  d: { type: 'double', values: [[1.5], [-0], [3e300], [0.1], [-7.25], [2 ** 53]] },
  s: { type: 'double', values: [[2], [], [3, 4], [], [-1e-9], [100.5]] },
  n: { type: 'long', values: [[7], [-3], [0], [2 ** 31], [-(2 ** 52)], [2 ** 53 - 1]] },
  b: { type: 'boolean', values: [[1], [0], [1], [], [0], [1]] },
};
const DOC_COUNT = 6;
const SCORES = Float32Array.from([0, 1, 2.5, 0.1, 7, 3]);
const PARAMS = { i: 3, z: 0, l: 3_000_000_000, d: 2.5, t: true };

function program(text: string, isFilter: boolean): ScriptProgram {
  return compileScript({ lang: 'painless', text }, isFilter ? FILTER_CONTEXT : NUMBER_SORT_CONTEXT);
}

/** Results of the documents one by one; null where the script fails. */
function oneByOne(compiled: ScriptProgram): unknown[] {
  let doc = 0;
  const shown = (type: string, value: number): unknown =>
    type === 'long' ? BigInt(value) : type === 'boolean' ? value === 1 : value;
  const fields = new DocumentFields((name) => {
    const field = FIELDS[name];
    if (field === undefined) return null;
    const values = (): unknown[] => (field.values[doc] ?? []).map((value) => shown(field.type, value));
    const kind = field.type === 'long' ? 'Longs' : field.type === 'boolean' ? 'Booleans' : 'Doubles';
    return new FieldValues(kind, {
      count: () => values().length,
      first: () => values()[0],
      value: (index) => values()[index],
    });
  });
  const bound = compiled.bind([fromPlain(PARAMS), fields, 0].slice(0, compiled.context.variables.length));
  return Array.from({ length: DOC_COUNT }, (_, at) => {
    doc = at;
    if (compiled.context === NUMBER_SORT_CONTEXT) bound.set(2, SCORES[at]);
    try {
      return bound.run();
    } catch (error) {
      if (isShoalError(error)) return null;
      throw error;
    }
  });
}

function column({ type, values }: Field): VectorColumn {
  return {
    type,
    isWhole: values.every((list) => list.length > 0),
    counts({ docs, count }, into) {
      for (let i = 0; i < count; i++) into[i] = values[docs[i] as number]?.length ?? 0;
    },
    first({ docs, count }, into, fails) {
      for (let i = 0; i < count; i++) {
        const [value] = values[docs[i] as number] ?? [];
        into[i] = value ?? Number.NaN;
        fails[i] = value === undefined ? 1 : 0;
      }
    },
  };
}

/** Results as vectors; `undefined` where they do not know. null: the script has none. */
function asVectors(compiled: ScriptProgram): unknown[] | null {
  const made = compiled.vectors({
    params: fromPlain(PARAMS) as JavaMap,
    column: (name) => (FIELDS[name] === undefined ? null : column(FIELDS[name])),
  });
  if (made === null) return null;
  const docs = Uint32Array.from({ length: DOC_COUNT }, (_, doc) => doc);
  made.run({ docs, count: DOC_COUNT, scores: SCORES });
  const isFilter = compiled.context === FILTER_CONTEXT;
  return [...docs].map((doc) => {
    if (made.fails?.[doc] === 1) return undefined;
    return isFilter ? made.values[doc] === 1 : made.values[doc];
  });
}

const number: fc.Arbitrary<string> = fc.letrec<{ number: string; boolean: string }>((tie) => {
  const leaf = fc.constantFrom(
    ...["doc['d'].value", 'doc.s.value', "doc['n'].value", "doc['s'].size()", 'doc.n.length', '_score'],
    ...['params.i', "params['l']", 'params.d', 'params.z', '1', '2147483647', '3L', '0.5', '-2', '(-1)'],
  );
  const two = (make: (a: string, b: string) => string): fc.Arbitrary<string> =>
    fc.tuple(tie('number'), tie('number')).map(([a, b]) => make(a, b));
  const test = fc.oneof(
    fc.constantFrom("doc['b'].value", 'doc.s.empty', 'params.t', "doc['s'].isEmpty()", '!doc.b.empty', 'true'),
    fc
      .tuple(tie('number'), fc.constantFrom('<', '<=', '>', '>=', '==', '!='), tie('number'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie('boolean'), fc.constantFrom('&&', '||'), tie('boolean')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie('boolean').map((a) => `!(${a})`),
  );
  return {
    boolean: test,
    number: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc
        .tuple(tie('number'), fc.constantFrom('+', '-', '*', '/', '%'), tie('number'))
        .map(([a, op, b]) => `(${a} ${op} ${b})`),
      fc.tuple(tie('boolean'), tie('number'), tie('number')).map(([t, a, b]) => `(${t} ? ${a} : ${b})`),
      two((a, b) => `Math.max(${a}, ${b})`),
      tie('number').map((a) => `Math.sqrt(${a})`),
      tie('number').map((a) => `(-(${a}))`),
      tie('number').map((a) => `((int)(${a} * 1.0))`),
    ),
  };
}).number;

const script: fc.Arbitrary<string> = fc.oneof(
  number,
  fc
    .tuple(number, number, number)
    .map(([a, b, c]) => `double x = ${a}; def y = ${b}; x *= 2; y = y + x; return y + ${c}`),
  fc
    .tuple(number, number, number, number)
    .map(
      ([a, b, c, d]) => `def x = ${a}; if (x > ${b}) { return ${c} } else if (doc.s.size() == 1) { x = ${d} } return x`,
    ),
);

describe('a script as vectors', () => {
  test('gives of each document what the compiled script gives', () => {
    const seen = { vectors: 0, known: 0, unknown: 0 };
    fc.assert(
      fc.property(script, (text) => {
        let compiled: ScriptProgram;
        try {
          compiled = program(text, false);
        } catch (error) {
          if (isShoalError(error)) return;
          throw error;
        }
        const vectors = asVectors(compiled);
        if (vectors === null) return;
        seen.vectors++;
        for (const [doc, expected] of oneByOne(compiled).entries()) {
          if (vectors[doc] === undefined) seen.unknown++;
          else {
            seen.known++;
            expect(vectors[doc], `${text} of document ${doc}`).toBe(expected);
          }
        }
      }),
      { numRuns: 300 },
    );
    // Most scripts of these parts are done, and most documents known.
    expect(seen.vectors).toBeGreaterThan(150);
    expect(seen.known).toBeGreaterThan(seen.unknown);
  });

  test.each([
    "doc['d'].value > params.d",
    "doc['s'].size() > 0 && doc['s'].value < 50",
    "doc['b'].size() == 0 || doc['b'].value",
    "if (doc['s'].empty) { return false } return doc['n'].value % 2 == 1",
  ])('%s is true of the same documents', (text) => {
    const compiled = program(text, true);
    expect(asVectors(compiled)).toEqual(oneByOne(compiled));
  });

  test('knows of a document without a value only where it does not ask for it', () => {
    const guarded = program("doc['s'].size() == 0 ? -1 : doc['s'].value", false);
    expect(asVectors(guarded)).toEqual([2, -1, 3, -1, -1e-9, 100.5]);
    expect(asVectors(program("doc['s'].value", false))).toEqual([2, undefined, 3, undefined, -1e-9, 100.5]);
    expect(asVectors(program("double x = doc['s'].value; return 1", false))?.[1]).toBeUndefined();
  });

  test('leaves whole numbers beyond what doubles tell to the compiled script', () => {
    expect(asVectors(program("doc['n'].value + 1", false))).toEqual([8, -2, 1, 2 ** 31 + 1, -(2 ** 52) + 1, undefined]);
    expect(asVectors(program('params.i * 1000000000', false))).toEqual(Array(DOC_COUNT).fill(undefined));
    expect(asVectors(program('1 / params.z', false))).toEqual(Array(DOC_COUNT).fill(undefined));
  });

  test.each([
    'double s = 0; for (int i = 0; i < 3; i++) { s += i } return s',
    "def f(double x) { return x } f(doc['d'].value)",
    "doc['t'].value",
    "doc['d'].values.size()",
    'params.missing + 1',
  ])('%s has none', (text) => {
    expect(asVectors(program(text, false))).toBeNull();
  });

  test('that is long has none', () => {
    const parts = Array.from({ length: 200 }, (_, i) => `doc['d'].value * ${i}`);
    expect(asVectors(program(parts.slice(0, 10).join(' + '), false))).not.toBeNull();
    expect(asVectors(program(parts.join(' + '), false))).toBeNull();
  });

  test('takes no more documents than it has room for', () => {
    const made = program("doc['d'].value", false).vectors({
      params: fromPlain({}) as JavaMap,
      column: () => column({ type: 'double', values: [[1]] }),
    });
    expect(made?.values.length).toBe(VECTOR_DOCS);
  });
});
