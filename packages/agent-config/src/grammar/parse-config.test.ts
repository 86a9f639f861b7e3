import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import peggy from 'peggy';
import { describe, expect, test } from 'vitest';
import { refusal } from '../plan/config-fixture.test-support.ts';
import { ConfigError } from '../source/config-error.ts';
import { parseConfig } from './parse-config.ts';

const parse = (text: string) => parseConfig([{ name: 'a.conf', text }]);

const EXAMPLE = `# reads, parses, prints
input { stdin { codec => json { charset => "UTF-8" } } }
filter {
  if [type] == "apache" and ("x" in [tags] or [path] =~ /\\/adm\\{in/) {
    grok { match => { "message" => ["%{COMBINEDAPACHELOG}", '%{X}'] } tags => [1, -2.5] } # a } in a comment
  } else if [a][b] not in ["only"] or !([c] >= 1) or ![d] {
    drop { }
  } else {
    mutate { id => "it's" add_field => { "a \\" { b" => "c" 7 => true } }
  }
}
output { stdout { codec => rubydebug } }
`;

describe('the parser', () => {
  test('is that of the grammar', () => {
    const grammar = readFileSync(new URL('grammar.peggy', import.meta.url), 'utf8');
    const made = peggy.generate(grammar, { output: 'source', format: 'bare' });
    const committed = readFileSync(new URL('generated/config-parser.ts', import.meta.url), 'utf8');
    expect(committed.includes(made.trim().replace(/;$/, ''))).toBe(true);
  });

  test('reads sections in order, branches, all kinds of values', () => {
    const { sections, source } = parse(EXAMPLE);
    expect(sections.map((section) => section.name)).toEqual(['input', 'filter', 'output']);
    const [branch] = sections[1]?.body ?? [];
    if (branch?.kind !== 'branch') throw new Error('no branch');
    expect(branch.arms.map((arm) => arm.condition.kind)).toEqual(['logical', 'logical']);
    expect(branch.otherwise).toHaveLength(1);
    const [grok] = branch.arms[0]?.body ?? [];
    if (grok?.kind !== 'plugin') throw new Error('no plugin');
    expect(grok.attributes.map((attribute) => attribute.value.kind)).toEqual(['hash', 'array']);
    expect(source.text.slice(grok.start, grok.end)).toMatch(/^grok \{ .*\}$/);
    expect(source.position(grok.start)).toEqual({ file: 'a.conf', line: 5, column: 5 });
  });

  test.each(['', '  # nothing\n', 'filter {}', '\ufeffinput { stdin {} }', 'filter{if[a]{drop{}}else{}}'])(
    'accepts %j',
    (text) => {
      expect(() => parse(text)).not.toThrow();
    },
  );

  test('and binds tighter than xor, and that tighter than or', () => {
    const [section] = parse('filter { if [a] or [b] xor [c] and [d] { } }').sections;
    const [branch] = section?.body ?? [];
    expect(branch).toMatchObject({
      arms: [
        {
          condition: {
            operator: 'or',
            left: { kind: 'truth' },
            right: { operator: 'xor', right: { operator: 'and' } },
          },
        },
      ],
    });
  });

  test('several files are one text, with places in their own', () => {
    const sources = [
      { name: 'a.conf', text: 'input { stdin {} }' },
      { name: 'b.conf', text: 'filter {\n  grok { match = > 1 }\n}' },
    ];
    expect(() => parseConfig(sources)).toThrow(/^b\.conf:2:16: Expected "=>"/);
  });

  test('a keyword needs its end: [a] inside is no membership', () => {
    expect(() => parse('filter { if [a] inside [b] {} }')).toThrow(ConfigError);
  });
});

describe('a syntax error', () => {
  test('shows file, line, column, the line with a caret, and a hint', () => {
    expect(refusal('filter {\n\tgrok { match = > 1 }\n}')).toBe(
      [
        'main.conf:2:15: Expected "=>" but found "="',
        '  2 | \tgrok { match = > 1 }',
        '      \t             ^',
        '  write => without a blank inside',
      ].join('\n'),
    );
  });

  test.each([
    ['filter { mutate { tags => ["a", "b",] } }', 'remove the comma'],
    ['filter { mutate { tags : "a" } }', 'write => between a name and its value, not ":"'],
    ['filter { mutate { a => b } }', 'a single letter needs quotes'],
    ['filter { mutate { tags => [a] } }', 'a single letter needs quotes'],
    ['filter { if [a] { } elsif [b] { } }', 'write "else if"'],
    ['filter { if [a] && [b] { } }', 'write "and"'],
    ['filter { if [a] || [b] { } }', 'write "or"'],
    ['filter { if [a] = 1 { } }', 'write == to compare'],
    ['filter { if a == 1 { } }', 'a field stands in brackets'],
    ['filter { mutate { add => { "a" => "b", "c" => "d" } } }', 'separated by white space'],
    ['input { file { path => /var/log/x } }', 'this value needs quotes'],
  ])('in %s says what to write', (text, hint) => {
    expect(refusal(text)).toContain(hint);
  });

  test.each([
    ['filter {\n  grok {\n    match => { "a" => "b" }\n}\n\noutput { stdout {} }\n', /^main\.conf:2:8: Unclosed "\{"/],
    ['filter {\n  grok { match => { "a" => "b" }\n  }\n\noutput { stdout {} }\n', /^main\.conf:1:8: Unclosed "\{"/],
    ['filter { mutate { tags => ["a" } }', /^main\.conf:1:27: Unclosed "\["/],
    ['filter { } }', /^main\.conf:1:12: Unexpected "\}"/],
    ['filter { mutate { id => "abc } }', /^main\.conf:1:25: Unclosed string/],
  ])('of brackets and quotes stands where they open: %j', (text, message) => {
    expect(refusal(text)).toMatch(message);
  });

  test('at the end stands in the last line', () => {
    expect(refusal('filter { drop { } # }')).toMatch(/^main\.conf:1:8: Unclosed/);
    expect(refusal('filter')).toMatch(/^main\.conf:1:7: Expected "\{"/);
    expect(refusal('output { a { b1 => c1 #')).toMatch(/^main\.conf:1:12: Unclosed/);
  });

  test('deep nesting is refused, not survived by luck', () => {
    expect(() => parse(`filter { x { a => ${'['.repeat(100_000)}`)).toThrow(/Nested deeper/);
    expect(() => parse(`filter { if ${'('.repeat(100_000)}`)).toThrow(/Nested deeper/);
  });

  test('so are endless conditions, with the place where they begin', () => {
    const terms = Array.from({ length: 50_000 }, () => '[a]').join(' or ');
    expect(() => parse(`filter { if ${terms} {} }`)).toThrow(/^a\.conf:1:13: A condition has more than 500 terms/);
    const arms = Array.from({ length: 5_000 }, () => 'if [a] {}').join(' else ');
    expect(() => parse(`filter { ${arms} }`)).toThrow(/more than 500 times "else if"/);
  });

  test('deep inside a wrong line is shown around its place', () => {
    const message = refusal(`filter { mutate { a1 => "${'x'.repeat(500)}" b1 = "c" } }`);
    expect(message.split('\n')[1]?.length).toBeLessThan(140);
    expect(message).toContain('b1 = "c"');
  });
});

describe('whatever the text', () => {
  const answers = (text: string): void => {
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const [problem] = error.problems;
      const lines = `${text}\n`.split('\n');
      const line = lines[(problem?.position.line ?? 0) - 1];
      expect(line).toBeDefined();
      expect(problem?.position.column).toBeGreaterThan(0);
      expect(problem?.position.column).toBeLessThanOrEqual((line?.length ?? 0) + 1);
    }
  };

  test('there is a tree or an error with a place in it', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), answers), { numRuns: 300 });
  });

  test('also where a good one was damaged', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '(',
      ')',
      '"',
      "'",
      '/',
      '#',
      '=>',
      ',',
      ' ',
      'if',
      'a',
      '\\',
      '!',
      '=~ /',
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(EXAMPLE.length), fc.nat(12), fc.oneof(piece, fc.string({ maxLength: 3 }))), {
          maxLength: 4,
        }),
        (edits) => {
          let text = EXAMPLE;
          for (const [at, removed, added] of edits) text = text.slice(0, at) + added + text.slice(at + removed);
          answers(text);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

test('a file that is no text cannot command the terminal', () => {
  expect(() => parse('input { \u001b[2J\u0007 }')).toThrow(/ {2}1 \| input \{ ·\[2J· \}\n/);
});
