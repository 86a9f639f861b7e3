import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { eventFromJson } from '@shoal/agent-event';
import { expect, test } from 'vitest';
import { codecBlock, makeOutput, temporaryFolder, testContext } from '../../plugin-instance.test-support.ts';
import { fileOutput } from './file.ts';

const line = codecBlock('line', { format: '%{message}' });

test('writes each event into the file of its path', async () => {
  const folder = await temporaryFolder();
  const output = makeOutput(fileOutput, { path: `${folder}/%{kind}/%{+yyyy}.log`, codec: line }, testContext());
  await output.start?.();
  const at = '2026-01-02T03:04:05Z';
  await output.receive(
    ['a', 'b', 'a'].map((kind, i) => eventFromJson({ '@timestamp': at, kind, message: `${kind}${i}` })),
  );
  expect(await readFile(join(folder, 'a/2026.log'), 'utf8')).toBe('a0\na2\n');
  expect(await readFile(join(folder, 'b/2026.log'), 'utf8')).toBe('b1\n');
  await output.stop?.();
});

test('a path that is not absolute lies in the folder that the agent was started in', async () => {
  const folder = relative(process.cwd(), await temporaryFolder());
  const output = makeOutput(fileOutput, { path: `${folder}/x/%{kind}.log`, codec: line }, testContext());
  await output.receive([eventFromJson({ kind: 'a', message: '1' }), eventFromJson({ kind: '../../b', message: '2' })]);
  await output.stop?.();
  expect(await readFile(join(folder, 'x/a.log'), 'utf8')).toBe('1\n');
  expect(await readdir(folder)).toEqual(['x']);
  for (const path of ['%{kind}/x', 'x%{kind}', '/x%{kind}'])
    expect(() => makeOutput(fileOutput, { path }, testContext())).toThrow('must begin with a fixed folder');
});

test('an event cannot lead out of the folder', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'in'));
  const output = makeOutput(fileOutput, { path: `${folder}/in/%{name}`, codec: line }, testContext());
  await output.receive([eventFromJson({ name: '../out', message: 'x' })]);
  await output.stop?.();
  expect(await readdir(folder)).toEqual(['in']);
  expect(await readFile(join(folder, 'in/_filepath_failures'), 'utf8')).toBe('x\n');
});

test('a deleted file is made again, and gzip is whole at the end', async () => {
  const folder = await temporaryFolder();
  const output = makeOutput(fileOutput, { path: `${folder}/a.gz`, gzip: true, codec: line }, testContext());
  await output.receive([eventFromJson({ message: '1' })]);
  await rm(join(folder, 'a.gz'));
  await output.receive([eventFromJson({ message: '2' })]);
  await output.receive([eventFromJson({ message: '3' })]);
  await output.stop?.();
  expect(gunzipSync(await readFile(join(folder, 'a.gz'))).toString()).toBe('2\n3\n');
});

test.runIf(existsSync('/dev/full'))('a full disk is waited for, and nothing is lost', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'out.log');
  await symlink('/dev/full', path);
  const context = testContext();
  let failed = (): void => undefined;
  const hasFailed = new Promise<void>((resolve) => (failed = resolve));
  const increment = (name: string): void => void (name === 'retries' && failed());
  const output = makeOutput(
    fileOutput,
    { path, codec: line },
    { ...context, metrics: { ...context.metrics, increment } },
  );
  const delivered = output.receive([eventFromJson({ message: '1' }), eventFromJson({ message: '2' })]);
  await hasFailed;
  await rm(path);
  await delivered;
  await output.stop?.();
  expect(await readFile(path, 'utf8')).toBe('1\n2\n');
});
