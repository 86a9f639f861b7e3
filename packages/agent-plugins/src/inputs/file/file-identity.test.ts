import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, copyFile, mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Input } from '@shoal/agent-plugin-kit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  CollectingSink,
  makeInput,
  type OptionsLiteral,
  temporaryFolder,
  testContext,
} from '../../plugin-instance.test-support.ts';
import { fileInput } from './file.ts';

let folder = '';
const running: Input[] = [];
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  for (const input of running.splice(0)) await input.stop();
});

async function follow(options: OptionsLiteral): Promise<{ readonly sink: CollectingSink; readonly input: Input }> {
  const quick = { stat_interval: '5 ms', discover_interval: 1, sincedb_path: join(folder, 'sincedb') };
  const sink = new CollectingSink();
  const input = makeInput(fileInput, { ...quick, ...options }, testContext());
  await input.start(sink);
  running.push(input);
  return { sink, input };
}

/** One turn of a child process: time passes without a fixed sleep. */
async function sleepTick(): Promise<void> {
  await once(spawn('true'), 'close');
}

describe('a file is known by what it holds', () => {
  const block = (name: string, count: number): string =>
    Array.from({ length: count }, (_, i) => `${name} ${i} ${'.'.repeat(20)}\n`).join('');
  const words = (sink: CollectingSink): string[] => sink.messages().map((text) => String(text).replace(/ \.+$/, ''));

  test('another file under the same inode is read from its start', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, block('old', 5));
    const first = await follow({ path, start_position: 'beginning' });
    await first.sink.until(5);
    await first.input.stop();
    // The inode stays, and the file is as long as before and longer.
    await writeFile(path, block('new', 8));
    const { sink } = await follow({ path, start_position: 'beginning' });
    await sink.until(8);
    expect(words(sink)[0]).toBe('new 0');
  });
  test('a short file is the same when it has grown', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, 'one\n');
    const first = await follow({ path, start_position: 'beginning' });
    await first.sink.until(1);
    await appendFile(path, 'two\n');
    await first.sink.until(2);
    await first.input.stop();
    const second = await follow({ path, start_position: 'beginning' });
    await appendFile(path, 'three\n');
    await second.sink.until(1);
    expect(second.sink.messages()).toEqual(['three']);
  });
  test('cut and begun anew while open, and longer than before, it is read from its start', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, block('old', 3));
    const { sink } = await follow({ path, start_position: 'beginning' });
    await sink.until(3);
    await writeFile(path, block('new', 9));
    await sink.until(12);
    expect(words(sink).slice(3, 5)).toEqual(['new 0', 'new 1']);
  });
  test('what was unread when it was cut comes from the copy, followed or not', async () => {
    for (const pattern of ['a.log', 'a.log*']) {
      const own = join(folder, pattern.replace('*', 'x'));
      await mkdir(own);
      const path = join(own, 'a.log');
      await writeFile(path, block('one', 4));
      const first = await follow({
        path: join(own, pattern),
        start_position: 'beginning',
        sincedb_path: join(own, 'db'),
      });
      await first.sink.until(4);
      // Nobody reads while the file is rotated.
      await first.input.stop();
      await appendFile(path, block('two', 4));
      await copyFile(path, `${path}.1`);
      await writeFile(path, block('three', 2));
      const { sink } = await follow({
        path: join(own, pattern),
        start_position: 'beginning',
        sincedb_path: join(own, 'db'),
      });
      await sink.until(6);
      await sleepTick();
      expect(words(sink).toSorted()).toEqual(['three 0', 'three 1', 'two 0', 'two 1', 'two 2', 'two 3']);
    }
  });
  test('a copy beside it is not read twice, also with more behind it once the file is cut', async () => {
    const path = join(folder, 'a.log');
    await writeFile(path, block('one', 4));
    const { sink } = await follow({ path: `${path}*`, start_position: 'beginning' });
    await sink.until(4);
    await copyFile(path, `${path}.1`);
    await appendFile(path, block('two', 1));
    await sink.until(5);
    for (let turn = 0; turn < 5; turn++) await sleepTick();
    await appendFile(path, block('three', 1));
    await copyFile(path, `${path}.1`);
    await truncate(path);
    await appendFile(path, block('four', 1));
    await sink.until(7);
    await sleepTick();
    expect(words(sink).toSorted()).toEqual(['four 0', 'one 0', 'one 1', 'one 2', 'one 3', 'three 0', 'two 0']);
  });
  test('one that was moved to another disk goes on where it was', async () => {
    await writeFile(join(folder, 'a.log'), block('one', 4));
    const first = await follow({ path: join(folder, '*.log'), start_position: 'beginning' });
    await first.sink.until(4);
    await first.input.stop();
    await writeFile(join(folder, 'b.log'), block('one', 4) + block('two', 1));
    await rm(join(folder, 'a.log'));
    const { sink } = await follow({ path: join(folder, '*.log'), start_position: 'beginning' });
    await sink.until(1);
    await sleepTick();
    expect(words(sink)).toEqual(['two 0']);
  });
  test('files that begin alike, or hold the same, are all read', async () => {
    const head = block('banner', 40);
    await writeFile(join(folder, 'a.log'), `${head}${block('a', 2)}`);
    const { sink } = await follow({ path: join(folder, '*.log*'), start_position: 'beginning' });
    await sink.until(42);
    await writeFile(join(folder, 'a.log2'), `${head}${block('b', 1)}`);
    await sink.until(83);
    await writeFile(join(folder, 'c.log'), `${head}${block('a', 2)}`);
    await sink.until(125);
    expect(sink.events).toHaveLength(125);
  });
});
