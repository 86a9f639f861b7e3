import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { afterAll, describe, expect, test } from 'vitest';
import { coveredPercent } from './coverage.ts';
import { CASE_MS_MAX, type PipelineTestRun, runPipelineTests } from './run-pipeline-tests.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-pipeline-tests-'));
const runtime = createNodeRuntime({ log: createSilentLog(), diskRoot: folder });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(text: string, options: { readonly filter?: string; readonly files?: Record<string, string> } = {}) {
  writeFileSync(join(folder, 'main.test.yml'), text);
  for (const [name, content] of Object.entries(options.files ?? {})) writeFileSync(join(folder, name), content);
  return runPipelineTests(runtime, {
    paths: ['main.test.yml'],
    environment: { FROM_PROCESS: 'process' },
    hostName: 'h',
    nameFilter: options.filter ?? null,
    pluginPaths: '',
  });
}

const casesOf = (result: PipelineTestRun) => result.files.flatMap(({ cases }) => cases);
const lines = (...all: string[]): string => all.join('\n');

/** What the only case, with this configuration and body, differs in. */
async function differences(config: string, body: string): Promise<readonly string[]> {
  const indented = body.replaceAll('\n', '\n    ');
  const [only] = casesOf(await run(lines('config: |', `  ${config}`, 'cases:', '  - name: one', `    ${indented}`)));
  return [
    ...(only?.differences ?? []).map(({ event, path, expected, got }) => `${event}${path} -${expected} +${got}`),
    ...(only?.failures ?? []),
  ];
}

describe('a case', () => {
  test('passes when what it expects of an event is so', async () => {
    const body = lines(
      'now: 2026-01-02T03:04:05.5Z',
      'input: 5 apples',
      'expect:',
      '  - fields:',
      '      message: 5 apples',
      '      n: 5',
      '      "[a][b]": !regex ^x+$',
      '      a: { b: xx }',
      '      list: [1, { k: v }]',
      '      "@timestamp": 2026-01-02T03:04:05.500Z',
      '    absent: [nothing, "[a][c]"]',
      '    tags: [t2, t1]',
    );
    const config = `filter { grok { match => { "message" => "%{INT:n:int}" } add_field => { "[a][b]" => "xx" "[a][d]" => "y" }
      add_tag => ["t1", "t2"] } json { source => "j" } mutate { add_field => { "l" => '[1,{"k":"v","more":2}]' } } json { source => "l" target => "list" } }`;
    expect(await differences(config.replaceAll('\n', ' '), body)).toEqual([]);
  });

  test('fails with each field that differs, and what it is', async () => {
    const body = lines(
      'input: 5 apples',
      'expect:',
      '  - fields: { n: "5", missing: true, message: !regex pears, a: { b: 1 } }',
      '    absent: [n]',
      '    tags: [wanted]',
    );
    const config =
      'filter { grok { match => { "message" => "%{INT:n:int}" } add_field => { "a" => "text" } add_tag => ["got"] } }';
    expect(await differences(config, body)).toEqual([
      '1[n] -"5" (text) +5 (integer)',
      '1[missing] -true (boolean) +null',
      '1[message] -text that matches /pears/ +"5 apples" (text)',
      '1[a] -{"b":1} (map) +"text" (text)',
      '1[n] -null +5 (integer)',
      '1[tags] -"wanted" +null',
      '1[tags] -null +"got"',
    ]);
  });

  test('with match exact allows no field that it does not name', async () => {
    const config = 'filter { mutate { add_field => { "[a][b]" => "1" "[a][c]" => "2" "d" => "3" } } }';
    const event = (fields: string) => lines('input: x', 'expect:', `  - { match: exact, fields: ${fields} }`);
    expect(
      await differences(config, event('{ message: x, event: { original: x }, a: { b: "1", c: "2" }, d: "3" }')),
    ).toEqual([]);
    expect(await differences(config, event('{ message: x, "[event][original]": x, "[a][b]": "1" }'))).toEqual([
      '1[a][c] -null +"2" (text)',
      '1[d] -null +"3" (text)',
    ]);
  });

  test('expects as many events as it names', async () => {
    const config = 'filter { if [message] == "no" { drop {} } if [message] == "two" { clone { clones => ["c"] } } }';
    expect(await differences(config, lines('input: "no"', 'expect: dropped'))).toEqual([]);
    expect(await differences(config, lines('input: "two"', 'expect: [{}, { tags: [c] }]'))).toEqual([]);
    const [count, more] = await differences(config, lines('input: yes', 'expect: []'));
    expect(count).toBe('0 -no event +1 event');
    expect(more).toMatch(/^1 -null \+\{"message":"yes"/);
    expect(await differences(config, lines('input: "no"', 'expect: [{}]'))).toEqual([
      '0 -1 event +no event',
      '1 -event 1 +null',
    ]);
  });

  test('takes lines through the codec and fields of the input, and events as they are', async () => {
    const config =
      'input { stdin { codec => json type => "t" tags => ["in"] } tcp { id => "other" port => 1 codec => plain { charset => "ISO-8859-1" } } }';
    const body = lines(
      `input: ['{"a":1}', '{"a":12345678901234567890}', { a: 2, tags: [x], "@metadata": { m: 1 }, "@timestamp": "2026-01-01T00:00:00Z" }]`,
      'expect:',
      '  - { fields: { a: 1, type: t }, tags: [in] }',
      '  - { fields: { a: 12345678901234567890 } }',
      '  - { match: exact, fields: { a: 2, "[@metadata][m]": 1, "@timestamp": "2026-01-01T00:00:00Z" }, tags: [x] }',
    );
    expect(await differences(config, body)).toEqual([]);
    const other = lines(
      'input: plain text',
      'input_id: other',
      'expect: [{ fields: { message: plain text }, absent: [type] }]',
    );
    expect(await differences(config, other)).toEqual([]);
    await expect(differences(config, other.replace('_id: other', '_id: none'))).rejects.toThrow(
      /There is no input 'none'.*stdin, other/,
    );
  });

  test('has several lines in one text, joined by a multiline codec', async () => {
    const config = 'input { stdin { codec => multiline { pattern => "^\\s" what => "previous" } } }';
    const body = lines(
      'input: |',
      '  first',
      '   more',
      '  second',
      'expect:',
      '  - fields: { message: "first\\n more" }',
      '  - fields: { message: second }',
    );
    expect(await differences(config, body)).toEqual([]);
  });

  test('fails when a condition or a filter throws', async () => {
    const found = await differences('filter { if [n] > 1 { drop {} } }', lines('input: { n: text }', 'expect: []'));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/main\.test\.yml:2:10.*text/s);
  });
});

describe('cases', () => {
  const STATEFUL = lines(
    'config: |',
    '  filter {',
    '    throttle { key => "k" after_count => 1 period => "60" add_tag => ["much"] }',
    '    aggregate { task_id => "%{id}" language => "javascript" code => "map.n = (map.n || 0) + 1" push_map_as_event_on_timeout => true timeout => 10 }',
    '  }',
    'cases:',
  );
  const CASE = lines(
    '  - input: [{ id: a }, { id: a }]',
    '    expect: [{ tags: [] }, { tags: [much] }, { fields: { n: 2 } }]',
  );

  test('start with filters that have seen nothing, and end with what filters hold back', async () => {
    const results = casesOf(await run(lines(STATEFUL, CASE, CASE)));
    expect(results.map(({ differences }) => differences)).toEqual([[], []]);
  });

  test('have the variables of their own, of their file and of the process', async () => {
    const text = lines(
      'config: |',
      `  filter { mutate { add_field => { "f" => "\${A} \${B} \${FROM_PROCESS}" } } }`,
      'environment: { A: file, B: file }',
      'cases:',
      '  - { input: x, expect: [{ fields: { f: file file process } }] }',
      '  - { input: x, environment: { B: case }, expect: [{ fields: { f: file case process } }] }',
    );
    expect(casesOf(await run(text)).map(({ isPassed }) => isPassed)).toEqual([true, true]);
  });

  test('wait no time when the clock is theirs', async () => {
    const text = lines(
      'config: |',
      '  filter { sleep { time => 3600 } mutate { add_field => { "at" => "%{{TIME_NOW}}" } replace => { "in" => "%{{TIME_NOW}}" } } }',
      'now: 2026-01-01T00:00:00Z',
      'cases:',
      '  - { input: x, expect: [{ fields: { "@timestamp": "2026-01-01T00:00:00Z", at: "2026-01-01T01:00:00.000Z", in: !regex T01 } }] }',
    );
    expect(casesOf(await run(text)).map(({ isPassed }) => isPassed)).toEqual([true]);
  });

  test('have brackets in names where the settings of their file say how they are written', async () => {
    const text = lines(
      'config: |',
      '  filter {',
      '    mutate { replace => { "[a%5B1%5D]" => "<%{b%5B2%5D}>" } copy => { "[b%5B2%5D]" => "c" } gsub => ["c", "x", "%{b%5B2%5D}"] }',
      '    kv { source => "k" include_keys => ["%{b%5B2%5D}"] }',
      '  }',
      'settings: { config.field_reference.escape_style: percent }',
      'cases:',
      '  - input: { "b[2]": x, k: x=1 y=2 }',
      '    expect: [{ match: exact, fields: { k: x=1 y=2, c: x, x: "1" }, absent: [y] }]',
    );
    const [result] = casesOf(await run(text));
    expect(result?.differences.map(({ path, got }) => `${path} ${got}`)).toEqual([
      '[b[2]] "x" (text)',
      '[a[1]] "<x>" (text)',
    ]);
  });

  test('that do not end are given up after their time', async () => {
    const waits: number[] = [];
    const hasty = {
      ...runtime,
      sched: {
        soon: runtime.sched.soon,
        after: (ms: number, fn: () => void) => {
          waits.push(ms);
          return ms === CASE_MS_MAX ? runtime.sched.after(0, fn) : () => {};
        },
      },
    };
    writeFileSync(
      join(folder, 'stuck.test.yml'),
      lines(
        'config: filter { if [s] { sleep { time => 1 } } }',
        'cases:',
        '  - { input: { s: 1 }, expect: [] }',
        '  - { input: x, expect: [{}] }',
      ),
    );
    const options = { paths: ['stuck.test.yml'], environment: {}, hostName: 'h', nameFilter: null, pluginPaths: '' };
    const [stuck, next] = casesOf(await runPipelineTests(hasty, options));
    expect(stuck).toMatchObject({ isPassed: false, failures: ['it did not end within 60 s'] });
    expect(next?.isPassed).toBe(true);
    expect(waits).toContain(1_000);
  });

  test('can be chosen by name', async () => {
    const text = lines(
      'config: ""',
      'cases:',
      '  - { name: one, input: x, expect: [{}] }',
      '  - { name: two, input: x, expect: [] }',
    );
    expect(casesOf(await run(text, { filter: 'on' })).map(({ name }) => name)).toEqual(['one']);
    await expect(run(text, { filter: 'three' })).rejects.toThrow(/no case has \[three\]/);
  });
});

describe('a file', () => {
  test.each([
    [
      'a name that is not known',
      'config: ""\ncases:\n  - input: x\n    expects: []\n',
      /main\.test\.yml:4:5: Unknown name 'expects' in case 1, did you mean 'expect'\?/,
    ],
    ['YAML that is none', 'cases: [\n', /main\.test\.yml:/],
    [
      'two configurations',
      'config: a\npipeline: b\ncases: [{ input: x, expect: [] }]\n',
      /1:1: Give either 'pipeline'/,
    ],
    ['a wrong time', 'config: ""\nnow: soon\ncases: [{ input: x, expect: [] }]\n', /2:6: now must be a time/],
    [
      'a wrong reference',
      'config: ""\ncases: [{ input: x, expect: [{ fields: { "a[b]": 1 } }] }]\n',
      /2:42: Invalid field reference/,
    ],
    [
      'a wrong setting',
      'config: ""\nsettings: { queue.type: memory }\ncases: [{ input: x, expect: [] }]\n',
      /2:13: Unknown name 'queue.type' in settings/,
    ],
    [
      'a configuration that is not there',
      'pipeline: no.conf\ncases: [{ input: x, expect: [] }]\n',
      /main\.test\.yml:1:11: .*no\.conf/,
    ],
    [
      'a configuration that is wrong',
      'config: |\n  filter { grokk {} }\ncases: [{ input: x, expect: [] }]\n',
      /main\.test\.yml:2:10: Unknown filter plugin 'grokk'/,
    ],
    [
      'a filter that cannot be made',
      'config: |\n  filter { grok { match => { "m" => "%{NOPE}" } } }\ncases: [{ input: x, expect: [] }]\n',
      /main\.test\.yml:2:36: grok: .*NOPE/,
    ],
  ])('with %s is refused with its place', async (_what, text, expected) => {
    await expect(run(text)).rejects.toThrow(expected);
  });
});

test('coverage names the ways, filters and patterns that no case reached', async () => {
  const config = lines(
    'filter {',
    '  grok { match => { "message" => ["^%{INT:n}$", "^%{WORD:w}$"] } }',
    '  if [n] {',
    '    mutate { add_tag => ["n"] }',
    '  } else if [w] == "x" {',
    '    mutate { add_tag => ["x"] }',
    '  }',
    '}',
    'output {',
    '  if [n] { null { } } else { stdout { } }',
    '}',
  );
  const text = lines('pipeline: cover.conf', 'cases: [{ input: "1", expect: [{}] }]');
  const { coverage } = await run(text, { files: { 'cover.conf': config } });
  const missed = coverage.filter(({ hits }) => hits === 0).map(({ line, column, what }) => `${line}:${column} ${what}`);
  expect(missed).toEqual([
    '2:49 grok pattern ^%{WORD:w}$',
    '3:3 if [n]: never false',
    '5:10 if [w] == "x": never true',
    '5:10 if [w] == "x": never false',
    '6:5 filter mutate',
    '10:3 if [n]: never false',
    '10:30 output stdout',
  ]);
  expect(coveredPercent(coverage)).toBeCloseTo(600 / 13);
});
