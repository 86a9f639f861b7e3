/**
 * `shoal agent test` and `shoal agent grok` as processes: what they print, and the status they end with.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { afterAll, describe, expect, test } from 'vitest';
import { endWithTests } from '../support/end-with-tests.test-support.ts';
import { runShoal, shoalBinary } from '../support/shoal-process.test-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-agent-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, ...lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const agent = (...args: readonly string[]) => runShoal(['agent', ...args]);

file('upper.conf', 'filter {', '  if [message] == "go" {', '    mutate { uppercase => ["message"] }', '  }', '}');
const passing = file(
  'passing.test.yml',
  'pipeline: upper.conf',
  'cases:',
  '  - { name: it shouts, input: go, expect: [{ fields: { message: GO } }] }',
);
const failing = file(
  'failing.test.yml',
  'pipeline: upper.conf',
  'cases:',
  '  - { name: it shouts, input: go, expect: [{ fields: { message: GO } }] }',
  `  - { name: "<it> \\"&\\" whispers \\u0007", input: go, expect: [{ fields: { message: "]]> \\ud83d\\ude00 é" } }] }`,
);

describe('shoal agent test', () => {
  test('ends with 0 when all cases pass, and says what they did not reach', async () => {
    const run = await agent('test', passing, '--coverage');
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toContain('✓ it shouts');
    expect(run.stdout).toMatch(
      /coverage 66\.6% \(2 of 3\)\n {2}not reached {2}\S+upper\.conf:2:3 {2}if \[message\] == "go": never false\n/,
    );
    expect((await agent('test', passing, '--coverage.min', '67')).status).toBe(1);
  });

  test('ends with 1 and the difference when one fails', async () => {
    const run = await agent('test', failing);
    expect(run.status).toBe(1);
    expect(run.stdout).toMatch(
      /event 1, \[message\] {2}\S+failing\.test\.yml:4:\d+\n\s+expected {2}"\]\]> 😀 é" \(text\)\n\s+got {7}"GO" \(text\)/,
    );
    expect(run.stdout).toContain('1 passed, 1 failed');
    expect((await agent('test', failing, '--filter', 'shouts')).status).toBe(0);
  });

  test('ends with 2 and a caret when a file or an argument is wrong', async () => {
    const wrong = file('wrong.test.yml', 'pipeline: upper.conf', 'case: []');
    const run = await agent('test', wrong);
    expect([run.status, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toMatch(
      /wrong\.test\.yml:2:1: Unknown name 'case'.*did you mean 'cases'\?\n {2}2 \| case: \[\]\n {6}\^/,
    );
    expect((await agent('test', join(folder, 'none.test.yml'))).status).toBe(2);
    expect((await agent('test', passing, '--reporter', 'loud')).status).toBe(2);
  });

  test('writes JUnit XML that parses, whatever is in names and values', async () => {
    const output = join(folder, 'report.xml');
    const run = await agent('test', failing, passing, '--reporter', 'junit', '--output', output);
    expect([run.status, run.stderr]).toEqual([1, '']);
    expect(run.stdout).toContain('2 passed, 1 failed');
    const problems: string[] = [];
    const parser = new DOMParser({ onError: (level, message) => problems.push(`${level} ${message}`) });
    const root = parser.parseFromString(readFileSync(output, 'utf8'), 'text/xml').documentElement;
    expect(problems).toEqual([]);
    expect([root?.getAttribute('tests'), root?.getAttribute('failures')]).toEqual(['3', '1']);
    const cases = [...(root?.getElementsByTagName('testcase') ?? [])];
    expect(cases.map((one) => one.getAttribute('name'))).toEqual([
      'it shouts',
      '<it> "&" whispers \\u0007',
      'it shouts',
    ]);
    expect(cases[1]?.getElementsByTagName('failure')[0]?.textContent).toContain('expected "]]> 😀 é" (text)');
  });

  test('writes JSON with everything it found', async () => {
    const run = await agent('test', failing, '--reporter', 'json');
    const report = JSON.parse(run.stdout) as { passed: number; failed: number; coverage: { percent: number } };
    expect(report).toMatchObject({ passed: 1, failed: 1 });
    expect(report.coverage.percent).toBeCloseTo(66.67, 1);
  });
});

describe('shoal agent --config.test_and_exit', () => {
  test('ends with 0 for what would start, although nothing of it is started', async () => {
    const config =
      'input { tcp { port => 1 } udp { port => 1 } beats { port => 1 } } output { tcp { host => "x" port => 1 } file { path => "/none/x" } }';
    const run = await agent('-t', '-e', config);
    expect([run.status, run.stdout]).toEqual([0, 'Configuration OK\n']);
  });

  test('ends with 1 and a caret below each mistake', async () => {
    const path = file(
      'broken.conf',
      'filter {',
      '  grok { match => { "m" => "%{IPP:client}" } }',
      '  geoip { source => "c" database => "none.mmdb" }',
      '}',
    );
    const run = await agent('-t', '-f', path);
    expect([run.status, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toMatch(
      /broken\.conf:2:29: grok: pattern %\{IPP\} not defined; did you mean IP.*\n.*\n {34}\^\n/,
    );
    expect(run.stderr).toMatch(/broken\.conf:3:38: Setting 'database' for geoip/);
  });
});

describe('shoal agent grok', () => {
  test('prints what a pattern captures, with types', async () => {
    const run = await agent(
      'grok',
      '%{IP:client} %{INT:n:int} %{MINE:x:float}',
      '192.0.2.1 17 2',
      '--definition',
      'MINE=\\d',
    );
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toBe('match\n  client  "192.0.2.1"  text\n  n       17  int\n  x       2.0  float\n');
  });

  test('names fields as the pipeline would, by ECS unless told otherwise', async () => {
    const line = '192.0.2.1 - - [02/Jan/2026:03:04:05 +0100] "GET / HTTP/1.1" 200 5';
    expect((await agent('grok', '%{COMMONAPACHELOG}', line)).stdout).toMatch(/\[source\]\[address\] +"192.0.2.1"/);
    const short = await agent('grok', '%{COMMONAPACHELOG}', line, '--ecs', 'disabled');
    expect(short.stdout).toMatch(/clientip +"192.0.2.1"/);
  });

  test('shows where it stops and what was expected there', async () => {
    const line = '192.0.2.1 - - [02/Jax/2026:03:04:05 +0100] "GET / HTTP/1.1" 200 5';
    const run = await agent('grok', '%{COMMONAPACHELOG}', line);
    expect(run.status).toBe(1);
    const [title, shown = '', caret = ''] = run.stdout.split('\n');
    expect(title).toBe('no match');
    expect(shown.slice(caret.indexOf('^'))).toMatch(/^Jax/);
    expect(run.stdout).toMatch(/expected {2}.*%\{HTTPDATE:timestamp\} > %\{MONTH\}\n {2}that is/);
  });

  test('points at a name that is not defined', async () => {
    const run = await agent('grok', '%{IP:a} %{INTT:b}', 'x');
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/%\{INTT\} not defined; did you mean INT\?\n {2}%\{IP:a\} %\{INTT:b\}\n {10}\^/);
  });

  test('reads lines from stdin', async () => {
    const child = spawn(process.execPath, [shoalBinary, 'agent', 'grok', '^%{INT:n:int}$', '-', '--json']);
    endWithTests(child);
    let stdout = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stdin.end('1\nx\n2\n');
    const [status] = await once(child, 'close');
    expect(status).toBe(1);
    const lines = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(lines).toMatchObject([
      { line: '1', match: true, captures: [{ field: 'n', type: 'int', value: 1 }] },
      { line: 'x', match: false, offset: 0 },
      { match: true },
    ]);
  });
});
