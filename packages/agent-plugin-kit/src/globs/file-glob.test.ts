import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expandGlob } from './file-glob.ts';
import { nameMatcher } from './glob-pattern.ts';

describe('a pattern of names', () => {
  test.each([
    ['*.log', 'a.log', true],
    ['*.log', '.log', false],
    ['.*', '.log', true],
    ['a?c', 'abc', true],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['{a,b}.{log,txt}', 'b.txt', true],
    ['a+b', 'a+b', true],
    ['a.c', 'abc', false],
  ])('%s on %s: %s', (pattern, name, matches) => {
    expect(nameMatcher(pattern)(name)).toBe(matches);
  });
});

describe('files of a pattern', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shoal-glob-'));
    for (const path of ['a.log', 'b.txt', '.hidden.log', 'x/c.log', 'x/y/d.log', 'x/y.log/e.log']) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), '');
    }
    await symlink(join(folder, 'a.log'), join(folder, 'link.log'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const found = async (pattern: string): Promise<string[]> =>
    (await expandGlob(join(folder, pattern))).map((path) => path.slice(folder.length + 1)).sort();

  test.each([
    ['a.log', ['a.log']],
    ['*.log', ['a.log', 'link.log']],
    ['{a,b}.*', ['a.log', 'b.txt']],
    ['x/*.log', ['x/c.log']],
    ['*/*/*.log', ['x/y.log/e.log', 'x/y/d.log']],
    ['**/*.log', ['a.log', 'link.log', 'x/c.log', 'x/y.log/e.log', 'x/y/d.log']],
    ['missing/*.log', []],
  ])('%s', async (pattern, paths) => {
    expect(await found(pattern)).toEqual(paths);
  });
});
