/** Scripts of runtime fields that take texts apart. */
import { isShoalError } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { DocumentFields, FieldValues } from '../library/document-values.ts';
import { textOf } from '../values/java-text.ts';
import { fromPlain } from '../values/json-values.ts';
import { compileScript } from './compile-script.ts';
import { RUNTIME_FIELD_CONTEXTS, SCORE_CONTEXT, type ScriptContext } from './script-context.ts';

const LINE = '10.0.0.7 - - [10/Nov/2026:13:55:36 +0000] "GET /a.gif HTTP/1.0" 200 2326';

/** What a script emits for a document whose field `m` is `message`, as texts with their types. */
function emitted(text: string, message: string, type = 'keyword'): readonly string[] {
  const values = new FieldValues('Strings', { count: () => 1, first: () => message, value: () => message });
  const fields = new DocumentFields((name) => (name === 'm' ? values : null));
  const context = RUNTIME_FIELD_CONTEXTS[type] as ScriptContext;
  const program = compileScript({ lang: 'painless', text }, context);
  return (program.run([fromPlain({}), fields]) as readonly unknown[]).flat().map((value) => textOf(value));
}

/** Text of the failure, and of what caused it. */
function refused(text: string, context: ScriptContext = RUNTIME_FIELD_CONTEXTS.keyword as ScriptContext): string {
  try {
    compileScript({ lang: 'painless', text }, context);
  } catch (error) {
    if (isShoalError(error)) return `${error.message}: ${error.causedBy?.message}`;
    throw error;
  }
  throw new Error('it compiles');
}

describe('grok', () => {
  test('names the parts of a text that fits, and gives null for others', () => {
    const script =
      "def ip = grok('%{COMMONAPACHELOG}').extract(doc['m'].value)?.clientip; if (ip != null) { emit(ip) }";
    expect(emitted(script, LINE)).toEqual(['10.0.0.7']);
    expect(emitted(script, 'something else')).toEqual([]);
  });

  test.each([
    ['%{NUMBER:n:int}', '12', 'java.lang.Integer 12'],
    ['%{NUMBER:n:long}', '12', 'java.lang.Long 12'],
    ['%{NUMBER:n:float}', '0.1', 'java.lang.Float 0.1'],
    ['%{NUMBER:n:double}', '3', 'java.lang.Double 3.0'],
    ['(?<n>true|false)', 'true', 'java.lang.String true'],
    ['%{WORD:n:boolean}', 'true', 'java.lang.Boolean true'],
  ])('%s of %s is %s', (pattern, message, expected) => {
    const kinds = ['Integer', 'Long', 'Float', 'Double', 'String', 'Boolean'];
    const kind = kinds.map((name) => `v instanceof ${name} ? 'java.lang.${name}' : `).join('');
    const script = `def v = grok('${pattern}').extract(doc['m'].value).n; emit((${kind} '?') + ' ' + v)`;
    expect(emitted(script, message)).toEqual([expected]);
  });

  test('leaves out what took no part, and stops at the end of a line', () => {
    const script = "def m = grok('(?:a=%{INT:a})?(?:b=%{GREEDYDATA:b})?').extract(doc['m'].value); emit(m.toString())";
    expect(emitted(script, 'b=1\n2')).toEqual(['{b=1}']);
  });

  test('that takes too long fails its document alone', () => {
    const script = "emit(grok('^(?:(?:a+)+)+$').extract(doc['m'].value).toString())";
    expect(() => emitted(script, `${'a'.repeat(40)}b`)).toThrow('runtime error');
  });

  test('takes a constant, and only where runtime fields are made', () => {
    expect(refused("emit(grok(doc['m'].value).extract('').toString())")).toContain(
      "all arguments to [grok] must be constant but the [1] argument isn't",
    );
    expect(refused("emit(grok('%{NOPE:a}').extract('').toString())")).toContain(
      "error compiling grok pattern [%{NOPE:a}]: Unable to find pattern [NOPE] in Grok's pattern dictionary",
    );
    expect(refused("grok('%{INT:a}').extract('1') == null ? 1 : 2", SCORE_CONTEXT)).toContain(
      'Unknown call [grok] with [1] arguments.',
    );
    expect(refused("emit(grok().extract('').toString())")).toContain('Unknown call [grok] with [0] arguments.');
  });
});

describe('dissect', () => {
  test('cuts a text at its delimiters, and joins parts', () => {
    const script = "emit(dissect('%{+a} %{+a} %{b}', '-').extract(doc['m'].value)?.a)";
    expect(emitted(script, 'x y z')).toEqual(['x-y']);
    expect(emitted(script.replace(", '-'", ''), 'x y z')).toEqual(['xy']);
    const port =
      "def p = dissect('%{host}:%{port}').extract(doc['m'].value)?.port; if (p != null) emit(Long.parseLong(p))";
    expect(emitted(port, 'db:5432', 'long')).toEqual(['5432']);
    expect(emitted(port, 'db', 'long')).toEqual([]);
  });

  test('is checked when the script is compiled', () => {
    expect(refused("emit(dissect('abc').extract('').toString())")).toContain(
      'error compiling dissect pattern [abc]: Unable to find any keys or delimiters.',
    );
    expect(refused("def s = '-'; emit(dissect('%{a}', s).extract('').toString())")).toContain(
      "all arguments to [dissect] must be constant but the [2] argument isn't",
    );
  });
});
