import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Disk } from '../interfaces/disk.ts';
import { createMemoryDisk } from './memory-disk.ts';
import { createNodeDisk } from './node-disk.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'shoal-disk-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (from: Uint8Array): string => new TextDecoder().decode(from);
const disks: [string, () => Disk][] = [
  ['of the operating system', () => createNodeDisk(root)],
  ['of the operating system for who may block', () => createNodeDisk(root, { blocks: true })],
  ['in memory', createMemoryDisk],
];

describe.each(disks)('a disk %s', (_name, make) => {
  test('writes at offsets, reads back, grows and cuts', async () => {
    const disk = make();
    await disk.mkdir('a/b');
    const file = await disk.open('a/b/f', 'create');
    await file.write(bytes('hello'), 0);
    await file.write(bytes('J'), 0);
    file.writeSync(bytes('!'), 7);
    await file.sync();
    expect(await file.sizeBytes()).toBe(8);
    expect(text(await file.read(0, 100))).toBe('Jello\0\0!');
    expect((await file.read(50, 10)).byteLength).toBe(0);
    const target = new Uint8Array(4);
    expect(file.readIntoSync(target, 6)).toBe(2);
    expect([...target]).toEqual([0, 33, 0, 0]);
    await file.truncate(3);
    await file.truncate(5);
    expect(text(await disk.readFile('a/b/f'))).toBe('Jel\0\0');
    await file.close();
  });

  test('keeps content in append mode and drops it in create mode', async () => {
    const disk = make();
    const first = await disk.open('f', 'append');
    await first.write(bytes('one'), 0);
    await first.close();
    const second = await disk.open('f', 'append');
    await second.write(bytes('X'), 1);
    expect(text(await disk.readFile('f'))).toBe('oXe');
    await second.close();
    await (await disk.open('f', 'create')).close();
    expect((await disk.stat('f')).sizeBytes).toBe(0);
  });

  test('lists names in order, renames over files, removes trees', async () => {
    const disk = make();
    await disk.mkdir('d/deep');
    for (const name of ['b', 'a', 'C']) await (await disk.open(`d/${name}`, 'create')).close();
    expect(await disk.list('d')).toEqual(['C', 'a', 'b', 'deep']);
    const file = await disk.open('d/a', 'update');
    await file.write(bytes('moved'), 0);
    await file.close();
    await disk.rename('d/a', 'd/b');
    await disk.syncDir('d');
    expect(text(await disk.readFile('d/b'))).toBe('moved');
    expect(await disk.list('d')).toEqual(['C', 'b', 'deep']);
    await disk.rename('d', 'e');
    expect(await disk.list('e')).toEqual(['C', 'b', 'deep']);
    expect((await disk.stat('e')).isDirectory).toBe(true);
    await disk.unlink('e/C');
    await disk.removeTree('e');
    await disk.removeTree('e');
    expect(await disk.exists('e')).toBe(false);
    expect((await disk.space('.')).totalBytes).toBeGreaterThan(0);
  });

  test('says what is missing, with the path', async () => {
    const disk = make();
    const missing = { name: 'DiskError', kind: 'notFound', message: expect.stringContaining('nope') };
    await expect(disk.open('nope', 'read')).rejects.toMatchObject(missing);
    await expect(disk.open('nope', 'update')).rejects.toMatchObject(missing);
    await expect(disk.open('nope/f', 'create')).rejects.toMatchObject(missing);
    await expect(disk.readFile('nope')).rejects.toMatchObject(missing);
    await expect(disk.stat('nope')).rejects.toMatchObject(missing);
    await expect(disk.list('nope')).rejects.toMatchObject(missing);
    await expect(disk.unlink('nope')).rejects.toMatchObject(missing);
    await expect(disk.syncDir('nope')).rejects.toMatchObject(missing);
  });

  test('gives a lock once, and again after its release', async () => {
    const disk = make();
    const lock = await disk.lock('node.lock');
    await expect(disk.lock('node.lock')).rejects.toMatchObject({ kind: 'locked' });
    await lock.release();
    await lock.release();
    const again = await disk.lock('node.lock');
    await again.release();
  });
});

test.each([true, false])(
  'a file that is closed ends what it was told before, and does nothing after (blocks: %s)',
  async (blocks) => {
    const disk = createNodeDisk(root, { blocks });
    const file = await disk.open('f', 'create');
    const content = new Uint8Array(100_000).fill(7);
    const told = [file.write(content, 0), file.sync(), file.close(), file.close()];
    await expect(file.write(content, 0)).rejects.toMatchObject({ name: 'DiskError', kind: 'io' });
    expect(() => file.writeSync(content, 0)).toThrowError(expect.objectContaining({ kind: 'io' }));
    await Promise.all(told);
    // More than what is read in one go.
    expect(await disk.readFile('f')).toEqual(content);
    const again = await disk.open('f', 'read');
    expect(await again.read(1, 200_000)).toEqual(content.subarray(1));
    await again.close();
  },
);

// The other process runs the built package: Node 20 reads no TypeScript.
const built = new URL('../dist/index.js', import.meta.url);
const isBuilt = existsSync(built);

/** Socket of a lock's owner. */
const SOCKET = /^node\.lock\.[0-9a-f-]{36}$/;

describe('the lock file', () => {
  const path = (): string => join(root, 'node.lock');
  const holder = (pid: number, startTime: string): string =>
    `${pid} ${startTime} 00000000-0000-4000-8000-000000000000\n`;

  test('of a process that runs is respected, naming it; of a killed one it is free', async () => {
    const disk = createNodeDisk(root);
    // The child takes the lock by its own process id and start time, as another node would.
    const child = spawn(
      process.execPath,
      [
        '-e',
        `const fs=require('fs');const stat=fs.readFileSync('/proc/self/stat','latin1');
         const start=stat.slice(stat.lastIndexOf(')')+2).split(' ')[19];
         fs.writeFileSync(process.argv[1], process.pid+' '+start+' 00000000-0000-4000-8000-000000000000\\n');
         console.log('held');setInterval(()=>{},1000);`,
        path(),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(child.stdout, 'data');
    await expect(disk.lock('node.lock')).rejects.toMatchObject({
      kind: 'locked',
      message: expect.stringContaining(`held by process ${child.pid}`),
    });
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    const lock = await disk.lock('node.lock');
    expect(readdirSync(root)).toEqual(['node.lock', expect.stringMatching(SOCKET)]);
    await lock.release();
    expect(readdirSync(root)).toEqual([]);
  });

  test.skipIf(!isBuilt)('taken by another process with this same code is respected until it is killed', async () => {
    const program = `
      import { createNodeRuntime, createSilentLog } from ${JSON.stringify(built.href)};
      const runtime = createNodeRuntime({ log: createSilentLog(), diskRoot: ${JSON.stringify(root)} });
      await runtime.disk.lock('node.lock');
      console.log('held');
      setInterval(() => {}, 1000);`;
    const args = ['--input-type=module', '-e', program];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    const disk = createNodeDisk(root);
    await expect(disk.lock('node.lock')).rejects.toMatchObject({ kind: 'locked' });
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await (await disk.lock('node.lock')).release();
  });

  test.each([
    ['a short path', ''],
    ['a path longer than that of a socket may be', 'deep-'.repeat(30)],
  ])('of an owner in another table of processes is respected as long as it lives: %s', async (_, folder) => {
    const disk = createNodeDisk(root);
    await disk.mkdir(`./${folder}`);
    const lockPath = `./${folder}/node.lock`;
    const lock = await disk.lock(lockPath);
    const at = join(root, folder, 'node.lock');
    const text = readFileSync(at, 'utf8');
    expect(text).toMatch(/ socket\n$/);
    // The id and start time that a container sees belong to nobody here.
    writeFileSync(at, text.replace(/^\d+ \d+/, `${2 ** 22 + 1} 5`));
    await expect(disk.lock(lockPath)).rejects.toMatchObject({ kind: 'locked' });
    await lock.release();
    // The socket's file of a killed owner stays, and nobody answers.
    const nonce = '00000000-0000-4000-8000-00000000000a';
    writeFileSync(at, `1 7 ${nonce} socket\n`);
    writeFileSync(`${at}.${nonce}`, '');
    const next = await disk.lock(lockPath);
    expect(readdirSync(join(root, folder))).toHaveLength(2);
    await next.release();
    expect(readdirSync(join(root, folder))).toEqual([]);
  });

  test('of a process id that another process has now is free', async () => {
    writeFileSync(path(), holder(process.pid, '1'));
    await (await createNodeDisk(root).lock('node.lock')).release();
  });

  test('of a dead process goes to exactly one of many that want it', async () => {
    for (let round = 0; round < 20; round++) {
      writeFileSync(path(), holder(2 ** 22 + 1, '5'));
      const disk = createNodeDisk(root);
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => disk.lock('node.lock')));
      const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(won).toHaveLength(1);
      expect(readdirSync(root)).toEqual(['node.lock', expect.stringMatching(SOCKET)]);
      await won[0]?.release();
    }
  });

  test('that is something else is left alone', async () => {
    writeFileSync(path(), 'my notes');
    await expect(createNodeDisk(root).lock('node.lock')).rejects.toMatchObject({ kind: 'locked' });
  });
});
