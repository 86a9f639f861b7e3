/**
 * Requests of `_scripts/painless/_execute`: small programs over numbers, texts, lists, maps, times and regular expressions.
 */

const NUMBERS = ['0', '1', '-7', '3.5', '2147483647', '9223372036854775807L', '1e300', '0x1F', '2.5f', '(byte) 200'];
const TEXTS = ["'abc'", "'Ünïcode'", "''", "'a,b,,c'", "'  x '", "'2020-02-29T10:00:00Z'", "'42'"];
const LISTS = ['[1, 2, 3]', "['b', 'a']", '[]', '[3.5, 1]', '[null, 1]'];
const MAPS = ["['a': 1, 'b': 2]", '[:]', "['x': [1, 2]]"];

const number = (r, depth) =>
  r.weighted([
    [3, () => r.pick(NUMBERS)],
    [depth > 0 ? 3 : 0, () => `(${number(r, depth - 1)} ${r.pick(['+', '-', '*', '/', '%'])} ${number(r, depth - 1)})`],
    [
      depth > 0 ? 1 : 0,
      () => `Math.${r.pick(['abs', 'floor', 'ceil', 'round', 'sqrt', 'signum'])}(${number(r, depth - 1)})`,
    ],
    [1, () => `${r.pick(TEXTS)}.length()`],
    [1, () => `${r.pick(LISTS)}.size()`],
    [0.5, () => `Integer.parseInt(${r.pick(TEXTS)})`],
  ])();

const METHODS = [
  'toUpperCase()',
  'trim()',
  'substring(1)',
  'charAt(0)',
  "indexOf('b')",
  "replace('a', 'z')",
  "splitOnToken(',')",
  'hashCode()',
  "contains('b')",
  "compareTo('abd')",
  'isEmpty()',
];
const text = (r) => `${r.pick(TEXTS)}.${r.pick(METHODS)}`;

const LIST_PROGRAMS = [
  (list) => `${list}.stream().map(x -> x + 1).collect(Collectors.toList())`,
  (list) => `def l = ${list}; l.sort((a, b) -> b.compareTo(a)); return l`,
  (list) => `def s = 0; for (x in ${list}) { s += x } return s`,
  (list) => `${list}.contains(1) ? 'yes' : 'no'`,
  (list) => `def l = new ArrayList(${list}); l.add(0, 'n'); return l`,
  (list) => `${list}.stream().mapToInt(x -> x).sum()`,
  (list) => `${list}[0]`,
  (list) => `${list}.join('-')`,
];
const MAP_PROGRAMS = [
  (map) => `def m = ${map}; m.put('c', 3); return m.size()`,
  (map) => `${map}.getOrDefault('z', 'none')`,
  (map) => `def s = ''; for (e in ${map}.entrySet()) { s += e.getKey() } return s`,
  (map) => `${map}?.x?.get(1)`,
  (map) => `${map}.a`,
];
const TIME_PROGRAMS = [
  "ZonedDateTime.parse('2020-02-29T10:00:00Z').plusYears(1).toString()",
  "ChronoUnit.DAYS.between(ZonedDateTime.parse('2020-01-01T00:00:00Z'), ZonedDateTime.parse('2020-03-01T00:00:00Z'))",
  "ZonedDateTime.parse('2020-02-29T10:00:00Z').withZoneSameInstant(ZoneId.of('Asia/Kolkata')).getHour()",
  'LocalDate.of(2020, 2, 30).toString()',
  "DateTimeFormatter.ofPattern('yyyy/MM/dd').format(ZonedDateTime.parse('2020-02-29T10:00:00Z'))",
  'Instant.ofEpochMilli(0L).toString()',
];
const OTHERS = [
  "def m = /(\\d+)-(\\w+)/.matcher('12-ab'); return m.find() ? m.group(2) : null",
  "'a1b2' =~ /\\d/",
  "'a1' ==~ /[a-z]\\d/",
  'int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2) } return f(10)',
  'def x = null; return x.length()',
  'def x = 1; x += 2.5; return x',
  "def m = ['a': 1L]; m.a *= 1.5; return m.a",
  'int i = 0; while (true) { if (i++ > 5) break } return i',
  "try { return Integer.parseInt('x') } catch (Exception e) { return 'caught' }",
  'return params.a + params.b.size()',
  'String s = 5; return s',
  'undefined + 1',
  "String.format('%05.2f|%s', [3.14159, 'x'])",
  'new BigDecimal("1.10").add(BigDecimal.ONE).toString()',
  '[1, 2] + 3',
  "'a' + 1 + 2L + null + true",
  '(1 << 33) + (1L << 33) + (-8 >>> 1)',
  '1 / 0',
  '1.0 / 0',
  "'b' > 'a'",
];

/** One program, run by itself. */
export function drawProgram(r) {
  const source = r.weighted([
    [3, () => `return ${number(r, 2)}`],
    [2, () => `return ${text(r)}`],
    [2, () => r.pick(LIST_PROGRAMS)(r.pick(LISTS))],
    [1, () => r.pick(MAP_PROGRAMS)(r.pick(MAPS))],
    [1, () => r.pick(TIME_PROGRAMS)],
    [3, () => r.pick(OTHERS)],
    [1, () => `return ${number(r, 1)} ${r.pick(['<', '==', '>=', '!=', '&&'])} ${number(r, 1)}`],
  ])();
  const body = { script: { source, params: { a: 1, b: ['x'] } } };
  return { class: '_execute', method: 'POST', path: '/_scripts/painless/_execute', body };
}
