/** Programs that are bound to their variables once and run many times: no run sees what another left. */
import { isShoalError } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { DocumentFields, FieldValues } from '../library/document-values.ts';
import type { JavaMap } from '../values/java-map.ts';
import { textOf } from '../values/java-text.ts';
import { fromPlain } from '../values/json-values.ts';
import { type BoundProgram, compileScript } from './compile-script.ts';
import { FIELD_CONTEXT, RUNTIME_FIELD_CONTEXTS, type ScriptContext } from './script-context.ts';

/** Values of the field `n` by document; a field `s` of texts has the same. */
const VALUES: readonly (readonly number[])[] = [[1.5], [], [3, 4], [-2]];

function bound(text: string, context: ScriptContext = FIELD_CONTEXT): { run(doc: number): unknown; params: JavaMap } {
  let at = 0;
  const field = (kind: 'Doubles' | 'Strings', show: (value: number) => unknown): FieldValues => {
    const values = (): readonly unknown[] => (VALUES[at] ?? []).map(show);
    return new FieldValues(kind, {
      count: () => values().length,
      first: () => values()[0],
      value: (index) => values()[index],
    });
  };
  const fields = new DocumentFields((name) =>
    name === 'n' ? field('Doubles', (value) => value) : name === 's' ? field('Strings', String) : null,
  );
  const params = fromPlain({ a: 1, l: [1, 2] }) as JavaMap;
  const program: BoundProgram = compileScript({ lang: 'painless', text }, context).bind([params, fields]);
  return {
    params,
    run(doc) {
      at = doc;
      return program.run();
    },
  };
}

describe('a bound program', () => {
  test.each([
    ["doc['n'].size() == 0 ? -1 : doc['n'].value * 2", ['3.0', '-1', '6.0', '-4.0']],
    ["doc.n.empty ? 'none' : doc.n.get(doc.n.length - 1) + ''", ['1.5', 'none', '4.0', '-2.0']],
    ["def f = doc[params.a == 1 ? 'n' : 's']; f.length", ['1', '0', '2', '1']],
    ["def t = 0.0; for (def k : ['n', 's']) { t += doc[k].size() } return t", ['2.0', '0.0', '4.0', '2.0']],
    ["def x; if (doc['n'].length > 1) { x = doc['n'].values } return x", ['null', 'null', '[3.0, 4.0]', 'null']],
    ["doc['s'].isEmpty() ? 0 : doc['s'].value.length()", ['3', '0', '1', '2']],
    ['doc.containsKey("x") ? 1 : doc["n"].toString()', ['[1.5]', '[]', '[3.0, 4.0]', '[-2.0]']],
  ])('%s gives of each document what is its own', (text, expected) => {
    const { run } = bound(text);
    const docs = VALUES.map((_, doc) => doc);
    expect(docs.map((doc) => textOf(run(doc)))).toEqual(expected);
    expect(docs.reverse().map((doc) => textOf(run(doc)))).toEqual([...expected].reverse());
  });

  test('sees what it wrote into its parameters before, wherever it wrote it', () => {
    const { run, params } = bound("def before = params.a; params.put('a', before + 1); return before + params['a']");
    expect([0, 1, 2].map((doc) => textOf(run(doc)))).toEqual(['3', '5', '7']);
    expect(textOf(params.get('a'))).toBe('4');
    params.set('a', fromPlain(10));
    expect(textOf(run(0))).toBe('21');
  });

  test('fails for the document that has no value, and runs on for the next', () => {
    const { run } = bound("doc['n'].value + 1");
    expect(textOf(run(0))).toBe('2.5');
    try {
      run(1);
      expect.unreachable('a document without a value has none');
    } catch (error) {
      expect(isShoalError(error) && error.type).toBe('script_exception');
    }
    expect(textOf(run(2))).toBe('4.0');
  });

  test('is allowed its steps in each run anew', () => {
    const { run } = bound('int s = 0; for (int i = 0; i < 400000; i++) { s += i % 2 } return s');
    expect([0, 1, 2, 3].map((doc) => textOf(run(doc)))).toEqual(['200000', '200000', '200000', '200000']);
  });

  test('gives each run a list of its own of what it emits', () => {
    const { run } = bound("for (def x : doc['n']) { emit(x) }", RUNTIME_FIELD_CONTEXTS.double);
    expect([0, 1, 2].map(run)).toEqual([[[1.5]], [], [[3], [4]]]);
  });
});
