import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { codecPlugins } from './codecs/codec-list.ts';
import { filterPlugins } from './filters/filter-list.ts';
import { inputPlugins } from './inputs/input-list.ts';
import { outputPlugins } from './outputs/output-list.ts';

const source = fileURLToPath(new URL('.', import.meta.url));
const folders = [...inputPlugins, ...filterPlugins, ...outputPlugins, ...codecPlugins].map(({ kind, name }) =>
  join(`${kind}s`, name.replaceAll('_', '-')),
);

/** Folders of plugins whose folder another one may import, and which plugin does. */
const IMPORTED_BY: Readonly<Record<string, string>> = {
  'codecs/json': 'inputs/http',
  'codecs/line': 'inputs/http',
  'codecs/plain': 'inputs/http',
  'inputs/tcp': 'inputs/graphite',
  'outputs/file': 'outputs/csv',
};

test('every plugin has a folder, with its test beside it', () => {
  const files = folders.flatMap((folder) => {
    const name = folder.split('/').at(-1) ?? '';
    return [join(folder, `${name}.ts`), join(folder, `${name}.test.ts`)];
  });
  expect(files.filter((file) => !existsSync(join(source, file)))).toEqual([]);
});

test('no plugin imports another, but the http input the codecs that it chooses by content type, graphite the tcp input, and csv the file output', () => {
  const found = folders.flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /^(?!.*\.test).*\.ts$/.test(file))
      .flatMap((file) => {
        const path = join(source, folder, file);
        const imported = [...readFileSync(path, 'utf8').matchAll(/from '(\.[^']+)'/g)].map((match) =>
          relative(source, join(dirname(path), match[1] ?? '')),
        );
        return imported
          .flatMap((target) => folders.find((other) => other !== folder && target.startsWith(`${other}/`)) ?? [])
          .filter((other) => IMPORTED_BY[other] !== folder)
          .map((other) => `${folder} imports ${other}`);
      }),
  );
  expect(found).toEqual([]);
});
