import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createNodeConfigFiles } from './node-config-files.ts';

const outer = mkdtempSync(join(tmpdir(), 'shoal-config-'));
const root = join(outer, 'config');
mkdirSync(join(root, 'words'), { recursive: true });
writeFileSync(join(outer, 'secret.txt'), 'secret');
mkdirSync(join(outer, 'config-of-another'));
writeFileSync(join(outer, 'config-of-another', 'a.txt'), 'a');
writeFileSync(join(root, 'words', 'stop.txt'), 'the\n');
symlinkSync(join(outer, 'secret.txt'), join(root, 'linked.txt'));
afterAll(() => rmSync(outer, { recursive: true, force: true }));
const files = createNodeConfigFiles(root);

describe('a configuration folder', () => {
  test('gives the files below it, also by their absolute paths and through links', () => {
    for (const path of ['words/stop.txt', join(root, 'words', 'stop.txt'), 'words/../words/stop.txt']) {
      const file = files.read(path, 100);
      expect(file).toMatchObject({ kind: 'read', path: join(root, 'words', 'stop.txt') });
      expect(file.kind === 'read' ? Buffer.from(file.bytes).toString() : '').toBe('the\n');
    }
    expect(files.read('linked.txt', 100).kind).toBe('read');
  });

  test.each([
    ['../secret.txt', 'outside'],
    ['/etc/passwd', 'outside'],
    ['../config-of-another/a.txt', 'outside'],
    ['a\0b', 'outside'],
    ['', 'unreadable'],
    ['words/none.txt', 'missing'],
    ['words', 'unreadable'],
  ])('does not give %j: %s', (path, kind) => {
    expect(files.read(path, 100).kind).toBe(kind);
  });

  test('does not read what is larger than wanted', () => {
    expect(files.read('words/stop.txt', 3)).toEqual({ kind: 'tooLarge', path: join(root, 'words', 'stop.txt') });
  });
});
