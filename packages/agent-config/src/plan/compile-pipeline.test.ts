// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of the language are written so
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventOf } from '../options/plugin-fixture.test-support.ts';
import { ConfigError } from '../source/config-error.ts';
import { compile, optionOf, refusal } from './config-fixture.test-support.ts';
import type { PlannedFilter, Step } from './pipeline-plan.ts';

describe('options', () => {
  test('all that is wrong is listed at once, in order, with what was probably meant', () => {
    const message = refusal(
      `filter {
  grok { mach => { "a" => "b" } timeout_millis => "soon" }
  date { target => "a[b]" }
  gork { }
}
output { stdout { codec => jsn } }`,
    );
    expect(message.split('\n').filter((line) => line.startsWith('main.conf'))).toEqual([
      "main.conf:2:10: Unknown setting 'mach' for grok, did you mean 'match'?",
      `main.conf:2:33: Setting 'timeout_millis' for grok must be a number, but is the text "soon"`,
      "main.conf:3:3: Missing a required setting 'match' for date",
      `main.conf:3:10: Setting 'target' for date is wrong: Invalid field reference [a[b]]: text stands outside of brackets`,
      "main.conf:4:3: Unknown filter plugin 'gork', did you mean 'grok'?",
      "main.conf:6:19: Unknown codec plugin 'jsn', did you mean 'json'?",
    ]);
    expect(message).toContain('  2 |   grok { mach =>');
  });

  test('a plugin that only Logstash has is told from a slip, with what does the same', () => {
    const message = refusal(
      'input { java_generator { count => 1 } } filter { language { } } output { opensearch { } s4 { } }',
    );
    expect(message.split('\n').filter((line) => line.startsWith('main.conf'))).toEqual([
      "main.conf:1:9: The input plugin 'java_generator' of Logstash is not part of this agent: use generator",
      "main.conf:1:50: The filter plugin 'language' of Logstash is not part of this agent: a plugin of your own can take its place (--path.plugins)",
      "main.conf:1:74: The output plugin 'opensearch' of Logstash is not part of this agent: use elasticsearch: it speaks the same API",
      "main.conf:1:89: Unknown output plugin 's4'",
    ]);
  });

  test('a plugin that Logstash had is told from a slip too', () => {
    const message = refusal('filter { multiline { pattern => "^ " } noop { } }');
    expect(message.split('\n').filter((line) => line.startsWith('main.conf'))).toEqual([
      "main.conf:1:10: The filter plugin 'multiline' of Logstash is not part of this agent: use the codec multiline of the input",
      "main.conf:1:40: The filter plugin 'noop' of Logstash is not part of this agent: remove it",
    ]);
  });

  test('common to a kind are checked too: a template is refused, a name that is no reference warned of', () => {
    const message = refusal(
      'filter { drop { add_tag => "%{+b}" } } input { stdin { add_field => { "[a]]" => "x" } } }',
    );
    expect(message).toContain('main.conf:1:10: In the fields or tags of drop: Invalid time format [b]');
    expect(message).toContain('main.conf:1:48: In the fields or tags of stdin: Invalid field reference [[a]]]');
    const { warnings, filters } = compile(
      'filter { drop { add_field => { "ok" => 1 "[a]]" => "x" } remove_field => "b[" } }',
    );
    expect(warnings.map((text) => text.replace(/:[^:]*$/, ''))).toEqual([
      'main.conf:1:10: In the fields or tags of drop: Invalid field reference [[a]]]',
      'main.conf:1:10: In the fields or tags of drop: Invalid field reference [b[]',
    ]);
    const [step] = filters;
    const event = eventOf({});
    expect(() => step?.kind === 'plugin' && step.plugin.decorate?.(event)).toThrow('Invalid field reference [[a]]]');
    expect(event.fields.get('ok')).toBe(1);
  });

  test('deprecated ones warn, obsolete ones are refused', () => {
    expect(compile('filter { grok { named_captures_only => true } }').warnings).toEqual([
      "main.conf:1:17: Setting 'named_captures_only' for grok is deprecated: use capture instead",
    ]);
    expect(refusal('filter { grok { singles => true } }')).toContain("'singles' for grok is obsolete");
  });

  test('given twice: hashes merge, lists grow, scalars become a list', () => {
    const match = optionOf('grok { match => { "a" => "1" } match => { "a" => "2" "b" => "3" } }', 'match');
    expect(match).toEqual(
      new Map<string, unknown>([
        ['a', ['1', '2']],
        ['b', '3'],
      ]),
    );
    expect(optionOf('grok { overwrite => "a" overwrite => ["b"] overwrite => "c" }', 'overwrite')).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(optionOf('grok { overwrite => "a" overwrite => "a" }', 'overwrite')).toEqual(['a']);
    expect(refusal('output { stdout { codec => json codec => plain } }')).toContain("'codec' is given twice");
  });

  test('a name twice in one hash is refused', () => {
    expect(refusal('filter { grok { match => { "a" => "1" "a" => "2" } } }')).toMatch(/^main\.conf:1:39: The name "a"/);
  });

  test('are coerced', () => {
    expect(optionOf('grok { match => ["a", "1", "a", "2", b2 , 3] }', 'match')).toEqual(
      new Map<string, unknown>([
        ['a', ['1', '2']],
        ['b2', 3],
      ]),
    );
    expect(optionOf('grok { timeout_millis => "10" }', 'timeout_millis')).toBe(10);
    expect(optionOf('grok { break_on_match => "false" }', 'break_on_match')).toBe(false);
    expect(refusal('filter { grok { break_on_match => yes } }')).toContain('must be true or false');
    expect(refusal('filter { grok { timeout_millis => [1, 2] } }')).toContain('must be a number, but is a list of 2');
  });

  test('a codec is a name or a block', () => {
    const plan = compile(
      'output { stdout { } stdout { codec => "json" } stdout { codec => json { charset => "ISO-8859-1" } } }',
    );
    const codecs = plan.outputs.map((step) => (step.kind === 'plugin' ? step.plugin.options.codecPlan('codec') : null));
    expect(codecs.map((codec) => codec?.name)).toEqual(['rubydebug', 'json', 'json']);
    expect(codecs[2]?.options.values.get('charset')?.value).toBe('ISO-8859-1');
    expect(refusal('output { stdout { codec => json { charset => "UTF8" } } }')).toContain("did you mean 'UTF-8'?");
  });
});

test('a good configuration with damage is a plan or a list of problems', () => {
  const good = `filter { if [a] =~ /x{1,2}/ and [b] in ["q", 1] { grok { match => { "m" => "%{X}" } id => "i" } } else { drop {
    add_field => { "[a][b]" => "%{+YYYY} \${V:w}" } remove_tag => "%{t}" } } } output { stdout { codec => json { charset => "UTF-8" } } }`;
  const piece = fc.constantFrom('[', ']', '%{', '}', '"', '${', '%{+', '+', '(', '?', '0', 'id', 'x', ' ', '!');
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(good.length), fc.nat(3), piece), { maxLength: 3 }), (edits) => {
      let text = good;
      for (const [at, removed, added] of edits) text = text.slice(0, at) + added + text.slice(at + removed);
      try {
        compile(text);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        expect(error.problems.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: 1_000 },
  );
});

describe('strings', () => {
  const variables = (name: string): string | undefined =>
    new Map([
      ['A', '1'],
      ['Q', '"quoted"'],
      ['LIST', '["x", y]'],
      ['CLASS', '[a-z]'],
      ['p.q', 'dot'],
    ]).get(name);
  const value = (text: string): unknown => optionOf(`grok { overwrite => ${text} }`, 'overwrite', { variables });

  test('have variables replaced', () => {
    expect(value('"${A}-${NONE:d e}${NONE:}-${p.q}"')).toEqual(['1-d e-dot']);
    expect(value('"${Q}"')).toEqual(['quoted']);
    expect(value('"${LIST}"')).toEqual(['x', 'y']);
    expect(value('["a", "${LIST}"]')).toEqual(['a', 'x', 'y']);
    expect(value('"${CLASS}"')).toEqual(['[a-z]']);
    expect(value('"$A ${ A}"')).toEqual(['$A ${ A}']);
    expect(refusal('filter { grok { overwrite => "${NONE}" } }')).toMatch(/^main\.conf:1:30: \$\{NONE\} is neither/);
  });

  test('keep their backslashes unless escapes are supported', () => {
    const text = String.raw`grok { overwrite => "a\"\n\d\\" }`.replace('\\\\"', '\\\\ "');
    expect(optionOf(text, 'overwrite')).toEqual([String.raw`a\"\n\d\\ `]);
    expect(optionOf(text, 'overwrite', { supportEscapes: true })).toEqual(['a"\n\\d\\ ']);
  });
});

describe('ids', () => {
  test('are those given, or made of section, place and text', () => {
    const text = 'input { stdin {} } filter { drop { id => "d" } drop {} drop {} }';
    const idsOf = (): readonly string[] => {
      const plan = compile(text);
      return [
        ...plan.inputs.map((one) => one.id),
        ...plan.filters.map((one) => (one.kind === 'plugin' ? one.plugin.id : '')),
      ];
    };
    const ids = idsOf();
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), 'd', expect.anything(), expect.anything()]);
    expect(new Set(ids).size).toBe(4);
    expect(idsOf()).toEqual(ids);
  });

  test('are unique', () => {
    const message = refusal('filter { drop { id => "d" } if [a] { drop { id => "d" } } }');
    expect(message).toMatch(/^main\.conf:1:38: The id 'd' is given twice: the first is at main\.conf:1:10/);
  });
});

describe('the plan', () => {
  test('has a branch in the else of the one before for else if', () => {
    const { filters } = compile('filter { if [a] { drop {} } else if [b] { } else { grok {} drop {} } }');
    expect(shapeOf(filters)).toBe('if [a] {drop} else {if [b] {} else {grok drop}}');
    expect(filters[0]).toMatchObject({ condition: { position: { file: 'main.conf', line: 1, column: 10 } } });
  });

  test('joins sections of a kind, and refuses conditions among inputs', () => {
    expect(compile('filter { drop {} } input { stdin {} } filter { grok {} }').filters).toHaveLength(2);
    expect(refusal('input { if [a] { stdin {} } }')).toContain('Conditions cannot stand among inputs');
  });

  test('decorates inputs always and filters with what they declare', () => {
    const { inputs, filters } = compile(`
      input { stdin { type => "t" tags => ["x"] add_field => { "f" => "%{type}" } } }
      filter { drop { add_field => { "f" => ["2", "%{m}"] "[n][%{type}]" => "v" } remove_field => "m" add_tag => ["y", "%{type}"] remove_tag => ["x"] } drop {} }`);
    const event = eventOf({ m: 'msg' });
    inputs[0]?.decorate(event);
    const [first, second] = filters;
    if (first?.kind !== 'plugin' || second?.kind !== 'plugin') throw new Error('no plugins');
    first.plugin.decorate?.(event);
    expect(second.plugin.decorate).toBeNull();
    expect(event.fields).toEqual(
      new Map<string, unknown>([
        ['@version', '1'],
        ['type', 't'],
        ['tags', ['y', 't']],
        ['f', ['t', '2', 'msg']],
        ['n', new Map([['t', 'v']])],
      ]),
    );
  });
});

function shapeOf(steps: readonly Step<PlannedFilter>[]): string {
  const shapes = steps.map((step) =>
    step.kind === 'plugin'
      ? step.plugin.name
      : `if ${step.condition.source} {${shapeOf(step.then)}} else {${shapeOf(step.else)}}`,
  );
  return shapes.join(' ');
}
