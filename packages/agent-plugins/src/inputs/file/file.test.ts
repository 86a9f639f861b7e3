import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readFile, rename, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Input } from '@shoal/agent-plugin-kit';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  CollectingSink,
  codecBlock,
  makeInput,
  type OptionsLiteral,
  temporaryFolder,
  testContext,
} from '../../plugin-instance.test-support.ts';
import { fileInput } from './file.ts';

let folder = '';
let running: Input[] = [];
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  for (const input of running) await input.stop();
  running = [];
});

async function follow(options: OptionsLiteral): Promise<{ sink: CollectingSink; input: Input }> {
  const sink = new CollectingSink();
  const input = makeInput(
    fileInput,
    { stat_interval: '5 ms', discover_interval: 1, sincedb_path: join(folder, 'sincedb'), ...options },
    testContext(),
  );
  await input.start(sink);
  running.push(input);
  return { sink, input };
}
const read = (options: OptionsLiteral) => follow({ mode: 'read', exit_after_read: true, ...options });

describe('tail mode', () => {
  test('follows lines, holds one that is not whole, adds path and host', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, 'one\ntw');
    const { sink } = await follow({ path, start_position: 'beginning' });
    await sink.until(1);
    await appendFile(path, 'o\nthree\n');
    await sink.until(3);
    expect(sink.messages()).toEqual(['one', 'two', 'three']);
    expect(sink.events[0]?.fields.get('path')).toBe(path);
    expect(sink.events[0]?.fields.get('host')).toBe('tester');
  });
  test('names path and host in the metadata, also where an event has its own', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, '{"path":"mine","host":"theirs"}\n');
    const { sink } = await follow({ path, start_position: 'beginning', codec: 'json' });
    await sink.until(1);
    const [event] = sink.events;
    expect([event?.fields.get('path'), event?.fields.get('host')]).toEqual(['mine', 'theirs']);
    expect([event?.metadata.get('path'), event?.metadata.get('host')]).toEqual([path, 'tester']);
  });
  test('forgets a file after as many days as [sincedb_clean_after] says, which may be fewer than one', async () => {
    const path = join(folder, 'a.log');
    const sincedb = join(folder, 'sincedb');
    await writeFile(path, 'one\n');
    const dayOld = Date.now() / 1000 - 86_400;
    const line = (inode: number, seconds: number): string => `${inode} 0 1 4 ${seconds} /gone/${inode}\n`;
    const before = line(1, dayOld) + line(2, dayOld + 43_200);
    const kept = async (sincedb_clean_after: number): Promise<string[]> => {
      await writeFile(sincedb, before);
      const { sink, input } = await follow({ path, start_position: 'beginning', sincedb_clean_after });
      await sink.until(1);
      await input.stop();
      return (await readFile(sincedb, 'utf8')).split('\n').flatMap((text) => /\/gone\/(\d)$/.exec(text)?.[1] ?? []);
    };
    expect(await kept(2)).toEqual(['1', '2']);
    expect(await kept(0.7)).toEqual(['2']);
  });
  test('starts at the end of files it finds at its start, and at the beginning of later ones', async () => {
    await writeFile(join(folder, 'a.log'), 'old\n');
    const { sink } = await follow({ path: join(folder, '*.log') });
    const sincedb = join(folder, 'sincedb');
    while (!(await readFile(sincedb, 'utf8').catch(() => '')).includes('a.log')) await sleepTick();
    await writeFile(join(folder, 'b.log'), 'new\n');
    await sink.until(1);
    await appendFile(join(folder, 'a.log'), 'more\n');
    await sink.until(2);
    expect(sink.messages()).toEqual(['new', 'more']);
  });
  test('finishes a renamed file and reads the new one from its start', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, '1\n');
    const { sink } = await follow({ path, start_position: 'beginning' });
    await sink.until(1);
    await appendFile(path, '2\n');
    await rename(path, `${path}.1`);
    await writeFile(path, '3\n');
    await sink.until(3);
    expect(sink.messages()).toEqual(['1', '2', '3']);
  });
  test('reads a renamed file that still matches only once', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, '1\n');
    const { sink } = await follow({ path: join(folder, 'a.log*'), start_position: 'beginning' });
    await sink.until(1);
    await rename(path, `${path}.1`);
    await writeFile(path, '2\n');
    await sink.until(2);
    await appendFile(`${path}.1`, '1b\n');
    await sink.until(3);
    expect(sink.messages()).toEqual(['1', '2', '1b']);
  });
  test('reads what a renamed file still had once, under whichever name', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, '0\n');
    const { sink } = await follow({ path: join(folder, 'a.log*'), start_position: 'beginning' });
    await sink.until(1);
    for (let turn = 1; turn <= 20; turn++) {
      await appendFile(path, `end of ${turn}\n`);
      await rename(path, `${path}.${turn}`);
      await writeFile(path, `start of ${turn}\n`);
      await sink.until(1 + 2 * turn);
    }
    await sleepTick();
    expect(new Set(sink.messages()).size).toBe(41);
    expect(sink.messages()).toHaveLength(41);
  });
  test('reads a file that was cut from its start (copytruncate)', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, 'first line\n');
    const { sink } = await follow({ path, start_position: 'beginning' });
    await sink.until(1);
    await truncate(path);
    await appendFile(path, 'x\n');
    await sink.until(2);
    expect(sink.messages()).toEqual(['first line', 'x']);
  });
  test('goes on where it was after a restart', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, '1\n2\n');
    const first = await follow({ path, start_position: 'beginning' });
    await first.sink.until(2);
    await first.input.stop();
    const { ino } = await stat(path);
    expect(await readFile(join(folder, 'sincedb'), 'utf8')).toMatch(
      new RegExp(`^${ino} \\d+ \\d+ 4 [\\d.]+ ${path}\n$`),
    );
    await appendFile(path, '3\n');
    const second = await follow({ path, start_position: 'beginning' });
    await second.sink.until(1);
    expect(second.sink.messages()).toEqual(['3']);
  });
  test('lines that a codec holds back are read again after a restart', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, 'a\n b\nc\n d\n');
    const options = {
      path,
      start_position: 'beginning',
      codec: codecBlock('multiline', { pattern: '^ ', what: 'previous' }),
    };
    const first = await follow(options);
    await first.sink.until(1);
    await first.input.stop();
    await appendFile(path, 'e\n');
    const second = await follow(options);
    await second.sink.until(1);
    expect(second.sink.messages()).toEqual(['c\n d']);
  });
  test('waits while the queue is full and loses nothing', async () => {
    const path = join(folder, 'a.log');
    const lines = Array.from({ length: 5000 }, (_, i) => `line ${i}`);
    await writeFile(path, `${lines.join('\n')}\n`);
    const sink = new CollectingSink();
    let open = (): void => undefined;
    sink.gate = new Promise<void>((resolve) => (open = resolve));
    const input = makeInput(
      fileInput,
      { path, start_position: 'beginning', sincedb_path: '/dev/null', file_chunk_size: 100 },
      testContext(),
    );
    await input.start(sink);
    running.push(input);
    await sleepTick();
    expect(sink.events).toHaveLength(0);
    sink.gate = null;
    open();
    await sink.until(5000);
    expect(sink.messages()).toEqual(lines);
  });
  test('excludes base names and finds files at any depth', async () => {
    await mkdir(join(folder, 'x/y'), { recursive: true });
    await writeFile(join(folder, 'x/y/a.log'), 'deep\n');
    await writeFile(join(folder, 'top.log'), 'top\n');
    await writeFile(join(folder, 'no.log'), 'no\n');
    const { sink } = await follow({
      path: `${folder}/**/*.log`,
      exclude: ['no*'],
      start_position: 'beginning',
      file_sort_by: 'path',
    });
    await sink.until(2);
    expect(sink.messages()).toEqual(['top', 'deep']);
  });
});

describe('what cannot be read or written', () => {
  test('a file is told once, shown, and read when it can be', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, 'one\n');
    const log = createRecordingLog();
    const troubles: (string | null)[] = [];
    const sink = Object.assign(new CollectingSink(), {
      troubled: (reason: string | null) => void troubles.push(reason),
    });
    // Nobody reads the first byte of it, not even root.
    const reach = join(folder, 'reach');
    await symlink('/proc/self/mem', reach);
    const context = testContext({ runtime: createNodeRuntime({ log }) });
    const options = { path: reach, start_position: 'beginning', stat_interval: '5 ms', sincedb_path: '/dev/null' };
    const input = makeInput(fileInput, options, context);
    await input.start(sink);
    running.push(input);
    while (troubles.length === 0) await sleepTick();
    await sleepTick();
    const warnings = log.lines.filter(({ level }) => level === 'warn');
    expect(warnings.map(({ message }) => message)).toEqual(['cannot read a file, it is tried again']);
    expect(troubles[0]).toContain('1 files cannot be read');
    await symlink(path, `${reach}.new`);
    await rename(`${reach}.new`, reach);
    await sink.until(1);
    while (troubles.length === 1) await sleepTick();
    expect([sink.messages(), troubles[1]]).toEqual([['one'], null]);
  });
  test('positions that cannot be written do not stop the reading, and are written later', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, 'one\n');
    const troubles: (string | null)[] = [];
    const sink = Object.assign(new CollectingSink(), {
      troubled: (reason: string | null) => void troubles.push(reason),
    });
    const sincedb = join(folder, 'missing', 'sincedb');
    const options = { path, start_position: 'beginning', stat_interval: '5 ms', sincedb_path: sincedb };
    const input = makeInput(fileInput, { ...options, sincedb_write_interval: '5 ms' }, testContext());
    await input.start(sink);
    running.push(input);
    await sink.until(1);
    while (troubles.length === 0) await sleepTick();
    expect(troubles[0]).toContain('positions of files cannot be written');
    await appendFile(path, 'two\n');
    await sink.until(2);
    await mkdir(join(folder, 'missing'));
    while (troubles.length === 1) await sleepTick();
    expect(troubles[1]).toBe(null);
    expect(await readFile(sincedb, 'utf8')).toContain(' 8 ');
  });
  test('positions that cannot be read are no first start: the input fails', async () => {
    await writeFile(join(folder, 'a.log'), 'one\n');
    const sink = new CollectingSink();
    const failure = new Promise((resolve) => Object.assign(sink, { failed: resolve }));
    // A path through a file: not missing, and not readable.
    const options = { path: join(folder, 'a.log'), sincedb_path: join(folder, 'a.log', 'sincedb') };
    const input = makeInput(fileInput, { ...options, start_position: 'beginning' }, testContext());
    await input.start(sink);
    running.push(input);
    expect(String(await failure)).toContain('ENOTDIR');
    expect(sink.events).toEqual([]);
  });
});

describe('read mode', () => {
  test('reads whole files, the last line without a delimiter too, ends and deletes', async () => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'a\nb');
    const { sink, input } = await read({ path });
    await input.finished;
    expect(sink.messages()).toEqual(['a', 'b']);
    await expect(stat(path)).rejects.toThrow();
  });
  test('reads archives and writes completed paths to a log', async () => {
    await writeFile(join(folder, 'a.gz'), gzipSync('1\n2\n'));
    await writeFile(join(folder, 'b.gz'), Buffer.from('no archive'));
    const log = join(folder, 'done');
    const options = {
      path: join(folder, '*.gz'),
      file_completed_action: 'log',
      file_completed_log_path: log,
      check_archive_validity: true,
    };
    const { sink, input } = await read(options);
    await input.finished;
    expect(sink.messages()).toEqual(['1', '2']);
    expect((await readFile(log, 'utf8')).startsWith(`${join(folder, 'a.gz')}\n`)).toBe(true);
    const again = await read(options);
    await again.input.finished;
    expect(again.sink.messages()).toEqual([]);
  });
  test.each([true, false])('a damaged archive stays (check_archive_validity => %s)', async (isChecked) => {
    const whole = join(folder, 'a.gz');
    const damaged = join(folder, 'b.gz');
    await writeFile(whole, gzipSync('1\n'));
    await writeFile(damaged, gzipSync('2\n'.repeat(10_000)).subarray(0, 40));
    const log = join(folder, 'done');
    const action = { file_completed_action: 'log_and_delete', file_completed_log_path: log };
    const { sink, input } = await read({ path: join(folder, '*.gz'), check_archive_validity: isChecked, ...action });
    await input.finished;
    expect(sink.messages()).toContain('1');
    expect(await readFile(log, 'utf8')).toBe(`${whole}\n`);
    await expect(stat(whole)).rejects.toThrow();
    expect((await stat(damaged)).size).toBe(40);
  });
  test('another delimiter', async () => {
    await writeFile(join(folder, 'a'), 'x;y\n;z');
    const { sink, input } = await read({ path: join(folder, 'a'), delimiter: ';' });
    await input.finished;
    expect(sink.messages()).toEqual(['x', 'y\n', 'z']);
  });
  test('is refused in combinations that cannot work', () => {
    expect(() => makeInput(fileInput, { path: 'a' }, testContext())).toThrow('absolute');
    expect(() => makeInput(fileInput, { path: '/a', exit_after_read: true }, testContext())).toThrow('mode => read');
  });
});

/** One turn of a child process: time passes without a fixed sleep. */
async function sleepTick(): Promise<void> {
  await once(spawn('true'), 'close');
}
