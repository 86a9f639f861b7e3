import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { openAgentLog } from './agent-log.ts';
import { LogFile } from './log-file.ts';
import { plainLogLine } from './plain-log-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'shoal-log-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a line for people has time, level, message and the rest', () => {
  const json =
    '{"log.level":"warn","@timestamp":"2026-11-21T10:11:12.345Z","message":"disk is full","free":0,"path":"a b"}\n';
  expect(plainLogLine(json)).toBe('[2026-11-21T10:11:12.345][WARN ] disk is full free=0 path="a b"\n');
  expect(plainLogLine('no json\n')).toBe('no json\n');
});

test('a log file moves on at its size, and keeps a few old ones', () => {
  const file = new LogFile(folder, 'a.log', 20);
  for (let n = 0; n < 20; n++) file.write(`line number ${n}\n`);
  const names = readdirSync(folder).filter((name) => name.startsWith('a.log'));
  expect(names.toSorted()).toEqual(['a.log', 'a.log.1', 'a.log.2', 'a.log.3', 'a.log.4', 'a.log.5']);
  expect(readFileSync(join(folder, 'a.log'), 'utf8')).toBe('line number 19\n');
  expect(readFileSync(join(folder, 'a.log.5'), 'utf8')).toBe('line number 14\n');
});

test('the log goes to its folder in the format that was asked for, from its level on', () => {
  const screen = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { log, reopen } = openAgentLog({ 'path.logs': folder, 'log.format': 'plain', 'log.level': 'warn' });
  log.info('not this');
  log.child({ pipeline: 'main' }).error('but this', { count: 1 });
  const path = join(folder, 'shoal-agent-plain.log');
  expect(readFileSync(path, 'utf8')).toMatch(/^\[[^\]]+\]\[ERROR\] but this pipeline=main count=1\n$/);
  renameSync(path, `${path}.old`);
  reopen();
  log.error('anew');
  expect(readFileSync(path, 'utf8')).toContain('anew');
  expect(screen).toHaveBeenCalledTimes(2);
  screen.mockRestore();
  expect(() => openAgentLog({ 'log.level': 'loud' })).toThrow('log.level is one of');
});
