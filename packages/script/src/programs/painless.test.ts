/** What scripts of painless give, and how they fail: as the server that speaks it answers. */
import { isShoalError, renderCause, type ShoalError } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { textOf } from '../values/java-text.ts';
import { fromPlain } from '../values/json-values.ts';
import { compileScript } from './compile-script.ts';
import { PAINLESS_TEST_CONTEXT } from './script-context.ts';

const PARAMS = { a: 1, l: [1, 2], s: 'abc', d: 2.5, big: 5_000_000_000 };

function result(text: string): string {
  const program = compileScript({ lang: 'painless', text }, PAINLESS_TEST_CONTEXT);
  return textOf(program.run([fromPlain(PARAMS)]));
}

function failure(text: string): ShoalError {
  try {
    result(text);
  } catch (error) {
    if (isShoalError(error)) return error;
    throw error;
  }
  throw new Error(`[${text}] did not fail`);
}

describe('numbers of two types', () => {
  test.each([
    ['def a = 3.5; a.compareTo(1)', '1'],
    ['def a = 3.5; def b = 1; a.compareTo(b)', '1'],
    ['def a = 5L; def b = 7; a.compareTo(b)', '-1'],
    ['def l = [3.5, 1]; l.sort((a, b) -> b.compareTo(a)); l', '[3.5, 1]'],
    ['Double a = 3.5; a.compareTo(1.0)', '1'],
  ])('%s: the argument widens to the class of the value: %s', (text, value) => expect(result(text)).toBe(value));

  test.each(['def a = 1; def b = 3.5; a.compareTo(b)', "def a = 1; a.compareTo('x')"])('%s fails', (text) =>
    expect(renderCause(failure(text))).toMatchObject({ caused_by: { type: 'class_cast_exception' } }),
  );
});

describe('arithmetic', () => {
  test.each([
    ['1 + 1', '2'],
    ['1.0', '1.0'],
    ['7 / 2', '3'],
    ['-7 / 2', '-3'],
    ['-7 % 3', '-1'],
    ['7 / 2.0', '3.5'],
    ['Integer.MAX_VALUE + 1', '-2147483648'],
    ['Long.MAX_VALUE + 1', '-9223372036854775808'],
    ['2147483647L + 1', '2147483648'],
    ['params.a + params.d', '3.5'],
    ['params.big * 2', '10000000000'],
    ['params.a / 2', '0'],
    ['(int)3.99', '3'],
    ['(byte)200', '-56'],
    ['(long)1e30', '9223372036854775807'],
    ["(int)'a'.charAt(0)", '97'],
    ['1 << 33', '2'],
    ['-8 >>> 28', '15'],
    ['1L << 33', '8589934592'],
    ['~5', '-6'],
    ['0x1FL + 010', '39'],
    ['0x1E', '30'],
    ['1.0f / 3', '0.33333334'],
    ['1e10', '1.0E10'],
    ['5 & 3 | 8 ^ 1', '9'],
    ['"a" + 1 + 2.0 + null + true', 'a12.0nulltrue'],
    ['1 + 2 + "a"', '3a'],
    ['1 == 1.0', 'true'],
    ['params.a == 1L', 'true'],
    ['1 < 2 && !(2 <= 1) || false', 'true'],
    ['Math.max(1, 2)', '2.0'],
    ['Math.round(2.5)', '3'],
    ['Math.pow(2, 10)', '1024.0'],
    ['-2147483648', '-2147483648'],
  ])('%s is %s', (text, expected) => {
    expect(result(text)).toBe(expected);
  });
});

describe('variables and flow', () => {
  test.each([
    ['int x = 5; x += 2; x++; return x--', '8'],
    ['def x = 1; x *= 2.5; x', '2'],
    ['def x = 1L; x += 2.7; x', '3'],
    ['def x = (byte) 1; x += 300; x', '45'],
    ["def x = (char) 'a'; x += 1; x", 'b'],
    ["def x = (char) 'a'; x++; x", 'b'],
    ['def x = (byte) 127; x++', '127'],
    ['def x = (byte) 127; ++x', '-128'],
    ['def x = 1.5; x--; x', '0.5'],
    ["def x = 'a'; x += 1; x", 'a1'],
    ['def x = 0; x = x + 2.5; x', '2.5'],
    ["def m = ['a': 1]; m.a += 2.5; m.a", '3'],
    ['def l = [5]; l[0] -= 0.5; l[0]', '4'],
    ['def x = 5.5f; x += 0.25; x', '5.75'],
    ["'  x '.compareTo('abd')", '-65'],
    ["'a'.compareTo('abc')", '-2'],
    ["'a'.compareToIgnoreCase('ABC')", '-2'],
    ["((def) (char) 'c').compareTo((char) 'a')", '2'],
    ['byte b = (byte)1; b += 300; b', '45'],
    ['int s = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 6) break; s += i } s', '12'],
    ['int s = 0; for (def x : params.l) s += x; return s', '3'],
    ['int s = 0; for (x in [1, 2, 3]) { s += x } return s', '6'],
    ['int i = 0; while (true) { i++; if (i > 4) return i; }', '5'],
    ['int i = 0; do { i++ } while (i < 3); i', '3'],
    ['String s = "x"; s += 1; s', 'x1'],
    ['def m = [:]; m.x = 1; m.y = 2.5; m["z"] = [1]; return m', '{x=1, y=2.5, z=[1]}'],
    ['def l = [1, 2, 3]; l[-1] + l[0]', '4'],
    ['int[] a = new int[3]; a[1] = 5; a[1] += 2; return a[1] + a.length', '10'],
    ['int[] a = new int[] {1, 2}; def t = 0; for (int x : a) t += x; t', '3'],
    ['def x = null; x?.length() ?: "none"', 'none'],
    ['params.zz?.a?.b', 'null'],
    ['params.a > 0 ? "p" : 1', 'p'],
    [
      'try { return Integer.parseInt("x") } catch (NumberFormatException e) { return e.getMessage() }',
      'For input string: "x"',
    ],
    ['try { throw new IllegalStateException("s") } catch (Exception e) { return e.message }', 's'],
    ['def f(int a, def b) { if (a == 0) return b; return f(a - 1, b + "x") } f(3, "")', 'xxx'],
    ['boolean isA(def x) { x == "a" } isA("a")', 'true'],
    ['if (params.a == 2) { return 1 } else if (params.a == 1) { return 2 } else { return 3 }', '2'],
    ['params.l instanceof List && !(params.l instanceof Map)', 'true'],
    ['def x; x', 'null'],
  ])('%s is %s', (text, expected) => {
    expect(result(text)).toBe(expected);
  });
});

describe('the library', () => {
  test.each([
    ['"abc".substring(1)', 'bc'],
    ['params.s.toUpperCase().length()', '3'],
    ['"a,b,,".splitOnToken(",").length', '2'],
    ['String.join("-", ["a", "b"])', 'a-b'],
    ['"a".hashCode()', '97'],
    ['"aXbX".replace("X", "$&")', 'a$&b$&'],
    ['[1, 2, 3].stream().map(x -> x * 2).collect(Collectors.toList())', '[2, 4, 6]'],
    ['[3, 1, 2].stream().sorted((a, b) -> b - a).map(String::valueOf).collect(Collectors.joining("<"))', '3<2<1'],
    ['def l = [3, 1, 2]; l.sort(Integer::compare); l', '[1, 2, 3]'],
    ['def l = [3, 1, 2]; Collections.sort(l); l', '[1, 2, 3]'],
    ['def l = ["bb", "a"]; l.sort(Comparator.comparing(String::length)); l', '[a, bb]'],
    ['[1, 2, 3].stream().mapToInt(x -> x).sum()', '6'],
    ['IntStream.range(0, 4).boxed().collect(Collectors.toList())', '[0, 1, 2, 3]'],
    ['int k = 10; [1, 2].stream().map(x -> x + k).collect(Collectors.toList())', '[11, 12]'],
    ['def l = [1, 2]; l.add(3); l.remove(0); l.removeIf(x -> x == 2); l', '[3]'],
    ['Map m = new HashMap(); m.put("a", 1); m.computeIfAbsent("b", k -> 2); m.getOrDefault("c", 3) + m.b', '5'],
    ['def t = 0; for (e in ["a": 1, "b": 2].entrySet()) { t += e.value } t', '3'],
    ['[["k": 1], ["k": 2]].find(x -> x.k == 2).k', '2'],
    ['new StringBuilder().append("a").append(1).toString()', 'a1'],
    ['Set s = new HashSet([1, 1, 2]); s.size()', '2'],
    ['ZonedDateTime.parse("2020-01-31T10:00:00Z").plusMonths(1).toString()', '2020-02-29T10:00Z'],
    ['Instant.ofEpochMilli(0).atZone(ZoneId.of("Europe/Paris")).getHour()', '1'],
    ['ChronoUnit.DAYS.between(Instant.ofEpochMilli(0), Instant.ofEpochMilli(86400000L * 3))', '3'],
    ['ZonedDateTime.parse("2024-05-06T00:00:00Z").dayOfWeekEnum', 'MONDAY'],
    ['"a1b22" =~ /[0-9]+/', 'true'],
    ['"abc" ==~ /b/', 'false'],
    ['Matcher m = /([a-z])(\\d+)/.matcher("a12"); m.find() ? m.group(2) : "none"', '12'],
    ['/,\\s*/.split("a, b,c").length', '3'],
    ['"foo".replaceAll(/o/, m -> m.group().toUpperCase())', 'fOO'],
    ['Objects.equals(params.a, 1)', 'true'],
    ['return /a/', 'a'],
    ['params', '{a=1, l=[1, 2], s=abc, d=2.5, big=5000000000}'],
    ['Optional.ofNullable(null).orElse("x")', 'x'],
    ['[1, 2, 3, 4].stream().collect(Collectors.groupingBy(x -> x % 2, Collectors.counting()))', '{1=2, 0=2}'],
  ])('%s is %s', (text, expected) => {
    expect(result(text)).toBe(expected);
  });
});

describe('a script that does not compile', () => {
  test.each([
    ['x', 0, 'cannot resolve symbol [x]'],
    ['int x = "a"; return x', 8, 'Cannot cast from [java.lang.String] to [int].'],
    ['return 1 +', 10, 'unexpected end of script.'],
    ['"abc".foo()', 5, 'member method [java.lang.String, foo/0] not found'],
    ['while(true){}', 0, 'no paths escape from while loop'],
    ['true && 1', 8, 'Cannot cast from [int] to [boolean].'],
    ['return 1; return 2', 0, 'invalid block: unreachable statement'],
    ['List l = new ArrayList(); l.add(1); l.bar', 37, 'invalid list index [bar]'],
    ['Foo x = null', 4, 'invalid declaration: cannot resolve type [Foo]'],
    ['int x=1; int x=2;', 13, 'variable [x] is already defined'],
    ['def x = 1; x = "a" - 1', 15, 'Cannot cast from [java.lang.String] to [int].'],
    ['new Foo()', 0, 'Not a type [Foo].'],
    ['if (1) {}', 4, 'Cannot cast from [int] to [boolean].'],
    ['Math.foo(1)', 4, 'static method [java.lang.Math, foo/1] not found'],
    ['@', 0, 'unexpected character [@].'],
    ['"abc', 0, 'unexpected character ["abc].'],
    ['def x = (String)1; x', 16, 'Cannot cast from [int] to [java.lang.String].'],
    ['int x = 1.0', 8, 'Cannot cast from [double] to [int].'],
    [
      'long x = 99999999999;',
      9,
      'Invalid int constant [99999999999]. If you want a long constant then change it to [99999999999L].',
    ],
    ['break;', 0, 'invalid break statement: not inside loop'],
    ['char c = "a"; c + 1', 9, 'Cannot cast from [java.lang.String] to [char].'],
    ['doc["x"].value', 0, 'cannot resolve symbol [doc]'],
    ['foo.bar.baz', 7, 'cannot resolve symbol [foo.bar.baz]'],
    ['foo.bar[1]', 3, 'cannot resolve symbol [foo.bar]'],
    ['foo.bar = 1', 3, 'cannot resolve symbol [foo.bar]'],
    ['foo.bar()', 3, 'cannot resolve symbol [foo]'],
    ['foo.bar.baz()', 7, 'cannot resolve symbol [foo.bar]'],
    ['return 0x1F', 7, 'Illegal tree structure.'],
    ['return 3 + 1 % 0', 11, '/ by zero'],
    ['false ? 1L / 0 : 2', 8, '/ by zero'],
    ['return (byte) 200 / -(1 >> 1)', 7, '/ by zero'],
    [
      "'b' >= 'a'",
      0,
      'cannot apply the greater than or equals operator [>=] to the types [java.lang.String] and [java.lang.String]',
    ],
    ["1 < 'a'", 4, 'Cannot cast from [java.lang.String] to [int].'],
    [
      'while (true) { if (params.a > 5) break } return 1',
      39,
      "unexpected token ['}'] was expecting one of [{<EOF>, ';'}].",
    ],
    ['int x = 5 int y = 6', 10, "unexpected token ['int'] was expecting one of [{<EOF>, ';'}]."],
    ['if (true) { return 1 ) }', 21, "invalid sequence of tokens near [')']."],
    ['int x 5', 6, "invalid sequence of tokens near ['5']."],
  ])('%s tells where: %i', (text, offset, reason) => {
    const error = failure(text);
    expect(error).toMatchObject({ type: 'script_exception', status: 400, reason: 'compile error' });
    expect(error.causedBy?.reason).toBe(reason);
    expect(error.details.position).toMatchObject({ offset });
  });

  test('shows the text around the place', () => {
    const { causedBy: _cause, ...rest } = failure('List l = new ArrayList(); l.add(1); l.bar');
    expect(renderCause(rest as ShoalError)).toEqual({
      type: 'script_exception',
      reason: 'compile error',
      script_stack: ['...  ArrayList(); l.add(1); l.bar', '                             ^---- HERE'],
      script: 'List l = new ArrayList(); l.add(1); l.bar',
      lang: 'painless',
      position: { offset: 37, start: 12, end: 41 },
    });
  });
});

describe('a script that fails while it runs', () => {
  test.each([
    [
      'def x = "abc"; x.foo()',
      [16, 15, 22],
      'illegal_argument_exception',
      'dynamic method [java.lang.String, foo/0] not found',
    ],
    ['int a = 0; return 1/a', [18, 11, 21], 'arithmetic_exception', '/ by zero'],
    ['[][0]', [2, 0, 5], 'index_out_of_bounds_exception', 'Index 0 out of bounds for length 0'],
    ['List l=[]; l[ 3]', [12, 11, 16], 'index_out_of_bounds_exception', 'Index 3 out of bounds for length 0'],
    ['List l=[]; l[3] = 1 + 1', [12, 11, 23], 'index_out_of_bounds_exception', 'Index 3 out of bounds for length 0'],
    [
      'int[] l=new int[1]; l[2] = 1',
      [21, 20, 28],
      'array_index_out_of_bounds_exception',
      'Index 2 out of bounds for length 1',
    ],
    ['List l=[1]; l[-3]', [13, 12, 17], 'index_out_of_bounds_exception', 'Index -2 out of bounds for length 1'],
    ['def l=[]; l[3]', [11, 10, 14], 'index_out_of_bounds_exception', 'Index 3 out of bounds for length 0'],
    ['params.a.b', [8, 0, 10], 'illegal_argument_exception', 'dynamic getter [java.lang.Integer, b] not found'],
    ['Integer.parseInt("x")', [7, 0, 21], 'number_format_exception', 'For input string: "x"'],
    ['throw new IllegalArgumentException("hi")', [6, 0, 40], 'illegal_argument_exception', 'hi'],
    ['def d=1L; int i = d; return i', [18, 14, 21], 'class_cast_exception', 'cannot implicitly cast def [long] to int'],
    [
      'def d="a"; int i = d; return i',
      [19, 15, 22],
      'class_cast_exception',
      'cannot implicitly cast def [java.lang.String] to int',
    ],
    ['String s = "a".substring(5); s', [14, 7, 29], 'string_index_out_of_bounds_exception', 'begin 5, end 1, length 1'],
    [
      "def s = 1; def t = 'b'; s += t",
      [24, 24, 30],
      'class_cast_exception',
      "class java.lang.String cannot be cast to class java.lang.Number (java.lang.String and java.lang.Number are in module java.base of loader 'bootstrap')",
    ],
    [
      "def s = 1.5; s += 'b'; s",
      [13, 13, 23],
      'class_cast_exception',
      'cannot implicitly cast def [double] to java.lang.String',
    ],
    ['int f(int a){ return f(a+1)} f(1)', [21, 14, 29], 'stack_overflow_error', null],
    ['[null, 1].stream().map(x -> x + 1).collect(Collectors.toList())', [28, 23, 63], 'null_pointer_exception', null],
  ])('%s tells its statement', (text, [offset, start, end], type, reason) => {
    const error = failure(text);
    expect(error).toMatchObject({ type: 'script_exception', status: 400, reason: 'runtime error' });
    expect(error.causedBy).toMatchObject({ type, reason });
    expect(error.details.position).toEqual({ offset, start, end });
  });

  test.each([
    ['Integer.MAX_VALUE / 0', '/ by zero'],
    ['[3.5, 1].stream().mapToInt(x -> x).sum()', 'cannot implicitly cast def [double] to int'],
    ['[3L].stream().mapToInt(x -> x).sum()', 'cannot implicitly cast def [long] to int'],
  ])('%s fails only then: %s', (text, reason) => {
    const error = failure(text);
    expect(error).toMatchObject({ type: 'script_exception', status: 400, reason: 'runtime error' });
    expect(error.causedBy?.reason).toBe(reason);
  });

  test.each([
    'int i = 0; while (true) { i++; if (i < 0) break; }',
    'def l = []; for (int i = 0; i < 100000000; i++) { l.add(i) }',
    'String s = "aaaaaaaaaaaaaaaa"; for (int i = 0; i < 1000; i++) { s += s }',
    'List l = [1]; for (int i = 0; i < 1000; i++) { l.addAll(l) }',
    'new int[2000000000][20]',
    'IntStream.range(0, 2000000000).sum()',
    'def f = x -> x; while (params.a == 1) { f.apply(1) }',
  ])('%s ends by a limit', (text) => {
    expect(failure(text).causedBy?.type).toBe('painless_error');
  });

  test('a value that holds itself ends in an error', () => {
    expect(result('def l = []; l.add(l); l.toString().length() > 0')).toBe('true');
  });

  test.each(['('.repeat(20_000), `${'-'.repeat(30_000)}1`, `1${'+1'.repeat(30_000)}`, `${'a.'.repeat(20_000)}a`])(
    'a text as deep as these is refused or runs, and nothing breaks: case %#',
    (text) => {
      try {
        result(text);
      } catch (error) {
        expect(isShoalError(error) && error.type).toBe('script_exception');
      }
    },
  );
});
