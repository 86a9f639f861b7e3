import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { afterEach, expect, test } from 'vitest';
import { call, TestCluster, type TestNode } from './node-cluster.test-support.ts';

const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function oneNode(settings: Readonly<Record<string, unknown>> = { 'path.repo': '/repos' }): Promise<TestNode> {
  const cluster = new TestCluster();
  cleanUps.push(() => cluster.close());
  return cluster.start('one', {
    settings: { 'discovery.type': 'single-node', 'cluster.initial_cluster_manager_nodes': null, ...settings },
  });
}

const fs = (location: string, more: object = {}): object => ({ type: 'fs', settings: { location, ...more } });
const reasons = ({ error }: { readonly error: { reason: string; caused_by?: { reason: string } } }): string[] => [
  error.reason,
  ...(error.caused_by === undefined ? [] : [error.caused_by.reason]),
];

test('repositories are registered, shown, verified, cleaned up and forgotten', async () => {
  const node = await oneNode();
  expect((await call(node, 'GET', '/_snapshot')).body).toEqual({});
  expect((await call(node, 'PUT', '/_snapshot/r1', fs('one', { compress: true }))).body).toEqual({
    acknowledged: true,
  });
  await call(node, 'PUT', '/_snapshot/r2?verify=false', fs('one', { readonly: true }));
  expect((await call(node, 'GET', '/_snapshot/r1')).body).toEqual({
    r1: { type: 'fs', settings: { location: 'one', compress: 'true' } },
  });
  expect(Object.keys((await call(node, 'GET', '/_snapshot/r*')).body)).toEqual(['r1', 'r2']);
  const { nodes } = (await call(node, 'POST', '/_snapshot/r1/_verify')).body;
  expect(Object.values(nodes)).toEqual([{ name: 'one' }]);
  expect((await call(node, 'POST', '/_snapshot/r2/_verify')).body).toEqual({ nodes: {} });
  expect((await call(node, 'POST', '/_snapshot/r1/_cleanup')).body).toEqual({
    results: { deleted_bytes: 0, deleted_blobs: 0 },
  });
  expect((await call(node, 'DELETE', '/_snapshot/r1')).body).toEqual({ acknowledged: true });
  const missing = await call(node, 'GET', '/_snapshot/r1');
  expect([missing.status, missing.body.error.type]).toEqual([404, 'repository_missing_exception']);
  expect((await call(node, 'DELETE', '/_snapshot/r1')).status).toBe(404);
  expect((await call(node, 'DELETE', '/_snapshot/x*')).body).toEqual({ acknowledged: true });
});

test.each([
  ['/etc', "[r] location [/etc] doesn't match any of the locations specified by path.repo"],
  ['../x', "[r] location [../x] doesn't match any of the locations specified by path.repo"],
  ['/repos/../etc', "[r] location [/repos/../etc] doesn't match any of the locations specified by path.repo"],
  ['/repos2', "[r] location [/repos2] doesn't match any of the locations specified by path.repo"],
  ['a\0b', "[r] location [a\0b] doesn't match any of the locations specified by path.repo"],
])('a repository at %j is refused', async (location, why) => {
  const answer = await call(await oneNode(), 'PUT', '/_snapshot/r', fs(location));
  expect([answer.status, answer.body.error.type, reasons(answer.body)]).toEqual([
    500,
    'repository_exception',
    ['[r] failed to create repository', why],
  ]);
});

test.each<[string, object, string]>([
  ['no type', { settings: {} }, 'Validation Failed: 1: type is missing;'],
  ['a type that is not there', { type: 'url', settings: {} }, '[r] repository type [url] does not exist'],
  ['no location', { type: 'fs' }, '[r] missing location'],
  ['a setting that is not known', fs('x', { foo: 1 }), 'unknown setting [foo] of a repository of type [fs]'],
  ['a flag that is none', fs('x', { compress: 'maybe' }), 'as only [true] or [false] are allowed.'],
])('%s is refused', async (_, body, why) => {
  const answer = await call(await oneNode(), 'PUT', '/_snapshot/r', body);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(reasons(answer.body).at(-1)).toContain(why);
});

test('without path.repo there are no repositories', async () => {
  const answer = await call(await oneNode({}), 'PUT', '/_snapshot/r', fs('x'));
  expect(reasons(answer.body).at(-1)).toBe(
    "[r] location [x] doesn't match any of the locations specified by path.repo because this setting is empty",
  );
});

test('a folder that the nodes do not share fails its verification, and is named with the node', async () => {
  const root = await mkdtemp(join(tmpdir(), 'shoal-repositories-'));
  cleanUps.push(() => rm(root, { recursive: true, force: true }));
  const cluster = new TestCluster();
  cleanUps.push(() => cluster.close());
  const start = (name: string, repo: string): Promise<TestNode> =>
    cluster.start(name, {
      runtime: createNodeRuntime({ log: createSilentLog(), diskRoot: join(root, name) }),
      settings: { 'path.repo': join(root, repo) },
    });
  const one = await start('one', 'shared');
  await start('two', 'shared');
  expect((await call(one, 'PUT', '/_snapshot/r', fs('r'))).body).toEqual({ acknowledged: true });
  await start('three', 'alone');
  await call(one, 'GET', '/_cluster/health?wait_for_nodes=3');
  const answer = await call(one, 'POST', '/_snapshot/r/_verify');
  expect([answer.status, answer.body.error.type]).toEqual([500, 'repository_verification_exception']);
  expect(answer.body.error.reason).toContain('cannot be accessed on the node [three]');
});
