import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { testAgent } from './agent/agent.test-support.ts';
import { checkConfiguration } from './check-configuration.ts';

const runtime = createNodeRuntime({ log: createSilentLog() });
const check = (text: string, settings: Record<string, unknown> = {}): Promise<readonly string[]> =>
  checkConfiguration(runtime, { settings: { 'config.string': text, ...settings }, environment: {}, hostName: 'h' });

/** Message of the refusal; its problems are parted by empty lines. */
async function refusal(text: string): Promise<string> {
  const warnings = await check(text).catch((error: Error) => error.message);
  if (typeof warnings !== 'string') throw new Error(`accepted: ${text}`);
  return warnings;
}

describe('the check of a configuration', () => {
  test('accepts what would start', async () => {
    expect(await check('filter { grok { match => { "message" => "%{COMBINEDAPACHELOG}" } } }')).toEqual([]);
  });

  test('points into a grok pattern at the name that is not defined, and names the nearest', async () => {
    const message = await refusal(
      'input { stdin {} }\nfilter {\n  grok {\n    match => { "message" => "%{IP:client} %{HTTPDATTE:time}" }\n  }\n}\n',
    );
    expect(message).toMatch(/^config\.string:4:43: grok: .*%\{HTTPDATTE\} not defined; did you mean HTTPDATE/);
    const [, line = '', caret = ''] = message.split('\n');
    expect(line.slice(caret.indexOf('^'))).toMatch(/^%\{HTTPDATTE:time\}/);
  });

  test.each([
    ['a pattern that does not parse', 'grok { match => { "message" => "(unclosed" } }', /1:42: grok: .*\(unclosed/],
    ['a date format', 'date { match => ["t", "yyyy-QQ"] }', /1:38: date: /],
    ['a time zone', 'date { match => ["t", "ISO8601"] timezone => "Mars/Olympus" }', /1:56: .*Mars/],
    [
      'a missing database',
      'geoip { source => "ip" database => "no/such.mmdb" }',
      /1:46: Setting 'database' for geoip.*no\/such/,
    ],
    [
      'a missing dictionary',
      'translate { source => "a" dictionary_path => "no.yml" }',
      /1:56: Setting 'dictionary_path'.*no\.yml/,
    ],
    [
      'an unknown codec',
      'drop {} } output { stdout { codec => rubydebugg }',
      /1:\d+: Unknown codec plugin 'rubydebugg', did you mean/,
    ],
    ['an expression in a condition', 'if [a] =~ /(b/ { drop {} }', /1:20: Invalid regular expression/],
  ])('refuses %s with its place', async (_what, filter, expected) => {
    expect(await refusal(`filter { ${filter} }`)).toMatch(expected);
  });

  test.each([
    ['input', 'elastic_agent', 'input { elastic_agent { option => 1 } }'],
    ['filter', 'java_uuid', 'filter { java_uuid { option => 1 } }'],
    ['output', 'sink', 'output { sink { option => 1 } }'],
    ['codec', 'java_line', 'input { stdin { codec => java_line { option => 1 } } }'],
    ['codec', 'java_plain', 'input { stdin { codec => java_plain { option => 1 } } }'],
    ['codec', 'jdots', 'output { stdout { codec => jdots { option => 1 } } }'],
  ])('takes the second name of a plugin: %s %s', async (_kind, name, text) => {
    expect(await refusal(text)).toContain(`Unknown setting 'option' for ${name}`);
  });

  test('finds the problems of all plugins at once', async () => {
    const message = await refusal(
      'filter { grok { match => { "a" => "%{NOPE}" } } date { match => ["t", "yyyy-QQ"] } }',
    );
    expect(message.split('\n\n')).toHaveLength(2);
  });

  test('and all problems of one plugin', async () => {
    const filters = [
      'grok { match => { "a" => ["%{NOPE}", "ok", "(x"] "b" => "%{NOR}" } }',
      'date { match => ["t", "yyyy-QQ", "ISO8601", "RR"] }',
      'mutate { convert => { "a" => "intt" } gsub => ["a", "(", ""] }',
      'dissect { mapping => { "a" => "%{+&b}" "c" => "%{+&d}" } }',
    ];
    const problems = (await refusal(`filter {\n${filters.join('\n')}\n}`)).split('\n\n');
    expect(problems.map((problem) => /^config\.string:\d+:\d+: \w+/.exec(problem)?.[0])).toEqual([
      'config.string:2:28: grok',
      'config.string:2:45: grok',
      'config.string:2:58: grok',
      'config.string:3:29: date',
      'config.string:3:46: date',
      'config.string:4:31: mutate',
      'config.string:4:1: mutate',
      'config.string:5:32: dissect',
      'config.string:5:48: dissect',
    ]);
  });

  test('warns of what a pattern folder holds besides patterns once, for all filters that name it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'shoal-patterns-'));
    writeFileSync(join(directory, 'stray.txt'), '- no pattern\n');
    const grok = `grok { patterns_dir => ["${directory}"] match => { "m" => "%{WORD:w}" } }`;
    expect(await check(`filter { ${grok} ${grok} }`)).toHaveLength(1);
    rmSync(directory, { recursive: true });
  });

  test('warns of patterns that can blow up, in grok and in conditions', async () => {
    const warnings = await check(
      'filter { grok { match => { "m" => "^(\\w+\\s?)*$" } } if [m] =~ /^(\\w+\\s?)*$/ { drop {} } }',
    );
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatch(/^config\.string:1:63: this pattern can take exponential time/);
    expect(warnings[1]).toMatch(/^config\.string:1:36: grok: grok pattern can take exponential time/);
  });
});

test('a start that a plugin refuses says the same, with the place', async () => {
  const { core } = testAgent({ 'config.string': 'filter {\n  grok { match => { "m" => "%{NOPPE}" } }\n}' });
  await expect(core.start()).rejects.toThrow(/config\.string:2:29: grok: pattern %\{NOPPE\} not defined/);
});
