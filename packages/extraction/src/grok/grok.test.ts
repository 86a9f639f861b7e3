import { patternRisk, TIMED_OUT } from '@shoal/ruby-regex';
import { describe, expect, test } from 'vitest';
import { compileGrok } from './compile-grok.ts';
import { expandPattern } from './expand-pattern.ts';
import { explainMismatch } from './explain-mismatch.ts';
import { addPatternText, corePatterns } from './pattern-library.ts';
import { tunedPatterns } from './tuned-patterns.ts';

const library = corePatterns('disabled');
const options = { library, tuned: tunedPatterns(library, library), namedCapturesOnly: true, timeoutMs: 1000 };

const COMBINED =
  '83.149.9.216 - - [17/May/2015:10:05:03 +0000] "GET /a.png HTTP/1.1" 200 203023 "http://x.org/" "Mozilla/5.0 (X11)"';

function fieldsOf(pattern: string, text: string): Record<string, string | undefined> | null {
  const compiled = compileGrok(pattern, options);
  const found = compiled.match(text);
  if (found === null || found === TIMED_OUT) return null;
  return Object.fromEntries(compiled.captures.map((capture, i) => [capture.field, found[i]]).filter(([, v]) => v));
}

describe('grok patterns', () => {
  test('COMBINEDAPACHELOG takes a line apart', () => {
    expect(fieldsOf('%{COMBINEDAPACHELOG}', COMBINED)).toEqual({
      clientip: '83.149.9.216',
      ident: '-',
      auth: '-',
      timestamp: '17/May/2015:10:05:03 +0000',
      verb: 'GET',
      request: '/a.png',
      httpversion: '1.1',
      response: '200',
      bytes: '203023',
      referrer: '"http://x.org/"',
      agent: '"Mozilla/5.0 (X11)"',
    });
  });

  test.each([
    [
      '%{SYSLOGBASE} %{GREEDYDATA:m}',
      'Jan  2 03:04:05 host1 sshd[42]: accepted',
      { program: 'sshd', pid: '42', m: 'accepted' },
    ],
    ['%{IP:a}', 'x ::1 y', { a: '::1' }],
    ['%{IPORHOST:a}', 'fe80::1%eth0', { a: 'fe80::1%eth0' }],
    ['%{TIMESTAMP_ISO8601:t}', '2026-01-02T03:04:05.678Z', { t: '2026-01-02T03:04:05.678Z' }],
    ['%{LOGLEVEL:l}', 'WARNING: x', { l: 'WARNING' }],
    ['%{NUMBER:n}', 'v -1.5', { n: '-1.5' }],
    ['%{QS:q}', 'a "b \\" c" d', { q: '"b \\" c"' }],
    ['%{UUID:u}', 'id 123e4567-e89b-12d3-a456-426614174000', { u: '123e4567-e89b-12d3-a456-426614174000' }],
    ['%{MAC:m}', '00:1a:2b:3c:4d:5e', { m: '00:1a:2b:3c:4d:5e' }],
    ['%{URI:u}', 'see http://a.b/c?d=e now', { u: 'http://a.b/c?d=e' }],
    ['%{PATH:p}', 'at /var/log/x.log', { p: '/var/log/x.log' }],
  ])('%s on %j', (pattern, text, expected) => {
    expect(fieldsOf(pattern, text)).toMatchObject(expected);
  });

  test('types, inline definitions, and native groups with paths', () => {
    const compiled = compileGrok('%{INT:[a][b]:int} %{X:x:float=\\d+\\.\\d} (?<[c][d]>z) %{Y=w+}', options);
    expect(compiled.captures).toMatchObject([
      { field: '[a][b]', type: 'int' },
      { field: 'x', type: 'float' },
      { field: '[c][d]', type: 'text' },
    ]);
    expect(compiled.match('12 1.5 z ww')).toEqual(['12', '1.5', 'z']);
  });

  test('what stands behind a field and is no type means nothing', () => {
    expect(compileGrok('%{INT:code?} %{WORD:w:text}', options).captures).toMatchObject([
      { field: 'code', type: 'text' },
      { field: 'w', type: 'text' },
    ]);
  });

  test('a group can be referred to by its name', () => {
    expect(fieldsOf('(?<q>["\'])(?<in>.*)\\k<q>', `x 'a"b' y`)).toEqual({ q: "'", in: 'a"b' });
  });

  test('an unknown name is refused with the nearest one', () => {
    expect(() => compileGrok('%{COMBINEDAPACHELOGS}', options)).toThrow(
      /pattern %\{COMBINEDAPACHELOGS\} not defined; did you mean COMBINEDAPACHELOG/,
    );
  });

  test('a pattern that refers to itself is refused', () => {
    const own = new Map([['A', 'x%{A}']]);
    expect(() => expandPattern('%{A}', { library: own, namedCapturesOnly: true })).toThrow('refers to itself');
  });

  test('files: comments, later definitions win, and a line that defines nothing is passed over', () => {
    const patterns = new Map<string, string>();
    const refused = addPatternText(patterns, '# c\nA \\d+\n\nA x y\n  B \t\\w \nC\n<?xml?>\nD-E x\n', 'mine');
    expect([...patterns]).toEqual([
      ['A', 'x y'],
      ['B', '\\w '],
      ['C', ''],
    ]);
    expect(refused).toEqual(['mine:7', 'mine:8']);
  });

  test('tuned forms match what the stock forms match', () => {
    const texts = [
      COMBINED,
      '1.5.6',
      '+.5',
      '1.',
      '12a',
      'a"b',
      '"a\\"b" c',
      "''",
      '"unclosed \\',
      '::ffff:1.2.3.4',
      'C:\\a\\b',
    ];
    for (const name of options.tuned.keys()) {
      const plain = compileGrok(`%{${name}:x}`, { ...options, tuned: new Map() });
      const tuned = compileGrok(`%{${name}:x}`, options);
      for (const text of texts) expect([name, text, tuned.match(text)]).toEqual([name, text, plain.match(text)]);
    }
  });
});

describe('captures inside repeated groups', () => {
  const captured = (pattern: string, text: string): unknown => {
    const grok = compileGrok(pattern, { ...options, timeoutMs: 1000 });
    const found = grok.match(text);
    return Array.isArray(found) ? Object.fromEntries(grok.captures.map(({ field }, i) => [field, found[i]])) : found;
  };
  test.each([
    ['(?:(?:S=%{INT:size}|P=%{WORD:proto}) ?)+', 'S=1 P=smtp S=2', { size: '2', proto: 'smtp' }],
    ['(?:(?:S=%{INT:size}|P=%{WORD:proto}) ?)+!', 'S=1 P=smtp é!', null],
    ['^(?:a(?<x>\\d)?)+ (?<y>\\w)', 'a1aa2a z', { x: '2', y: 'z' }],
    ['^(?:a(?<x>\\d)?){3}', 'a1aa', { x: '1' }],
    ['é(?:(?:a(?<x>.)|b(?<y>.)),)*$', 'éa1,b2,a3,', { x: '3', y: '2' }],
    ['^(?:(?<x>a)|b)*(?<z>c)?$', 'ab', { x: 'a', z: undefined }],
    ['^(?:(?<x>a)|b)+?b$', 'abb', { x: 'a' }],
    ['(?:(?<x>a)|(?<y>b))*', '', { x: undefined, y: undefined }],
  ])('%s on %j keeps what each matched last: %j', (pattern, text, expected) => {
    expect(captured(pattern, text)).toEqual(expected);
  });
});

describe('patterns that can blow up', () => {
  test.each(['%{URI}', '%{COMBINEDAPACHELOG}', '%{PATH}', '%{SYSLOGBASE}', '%{JAVASTACKTRACEPART}', '%{HAPROXYHTTP}'])(
    '%s is not',
    (pattern) => {
      expect(compileGrok(pattern, options).blowUps).toEqual([]);
    },
  );
  test.each(['%{COMBINEDAPACHELOG}', '%{SYSLOGBASE}'])(
    '%s runs without the watch, which takes longer than the match',
    (pattern) => {
      expect(patternRisk(expandPattern(pattern, options).source).lengthMax).toBeGreaterThan(1000);
    },
  );
  test('are ended after their time', () => {
    const compiled = compileGrok('^(?:\\w+\\s?)*$', { ...options, timeoutMs: 50 });
    expect(compiled.match(`${'a'.repeat(50)}!`)).toBe(TIMED_OUT);
    expect(compiled.match('aaa')).toEqual([]);
  });
  test.each(['(.*a){30}', '(.*a)+b', '(?:\\w+\\s?){25}!', '(?:ab|a|b)+!', '\\d+\\w+\\d+\\w+\\d+!', '(a?){30}a{30}!'])(
    '%s is ended after its time too',
    (pattern) => {
      const compiled = compileGrok(`^${pattern}$`, { ...options, timeoutMs: 30 });
      const text = pattern.startsWith('\\d') ? '1'.repeat(5000) : `${'ab'.repeat(30)}${'a'.repeat(60)}#`;
      expect(compiled.match(text)).toBe(pattern.startsWith('(a?)') ? null : TIMED_OUT);
    },
  );
  test('match texts that are announced together as they match each alone, and leave the one that is stuck alone', () => {
    const stuck = `${'a'.repeat(50)}!`;
    const texts = ['one two', 'x!y', stuck, 'three ', '', 'one two', `${'a b '.repeat(9)}`];
    const [alone, together] = [0, 1].map(() => compileGrok('^(?<w>\\w+\\s?)*$', { ...options, timeoutMs: 50 }));
    expect(together?.prepare(texts)).toEqual(['x!y']);
    expect(texts.map((text) => together?.match(text))).toEqual(texts.map((text) => alone?.match(text)));
    expect(together?.match(stuck)).toBe(TIMED_OUT);
    expect(together?.prepare([])).toEqual([]);
    expect(together?.match('late 1')).toEqual(alone?.match('late 1'));
  });
  test('many wide repetitions run under the watch on long texts only', () => {
    const compiled = compileGrok('%{DATA:a} %{DATA:b} %{DATA:c} %{DATA:d} %{DATA:e} %{DATA:f}!!', {
      ...options,
      timeoutMs: 50,
    });
    expect(compiled.match('a '.repeat(3000))).toBe(TIMED_OUT);
  });
});

describe('why a line does not match', () => {
  test('names the innermost pattern that failed and where', () => {
    const line = COMBINED.replace('17/May', '17/Mai');
    expect(explainMismatch('%{COMBINEDAPACHELOG}', line.replace('Mai', 'Xxx'), options)).toMatchObject({
      isMatch: false,
      failedPath: [
        '%{COMBINEDAPACHELOG}',
        '%{HTTPD_COMBINEDLOG}',
        '%{HTTPD_COMMONLOG}',
        '%{HTTPDATE:timestamp}',
        '%{MONTH}',
      ],
      matchedText: '83.149.9.216 - - [17/',
    });
  });
  test('a text that matches is said to', () => {
    expect(explainMismatch('%{INT:a}', 'x 5', options)).toMatchObject({ isMatch: true, matchedText: '5' });
  });
});
