/**
 * A disk without room: writes are refused with the reason, reads go on, and with room everything goes on as before.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { NodeProcesses } from '../support/node-processes.test-support.ts';
import { type Answer, call } from '../support/shoal-process.test-support.ts';

const DISK = '6m';
const BALLAST_KIB = 3_072;
const DOCUMENT = { text: 'x'.repeat(32 * 1024) };
/** More than the disk holds. */
const WRITES_MAX = 400;
const ROOM_WITHIN_MS = 120_000;

/** The way to a mount that only the node sees; a user that is not root becomes it in a namespace. */
function findUnshare(): readonly string[] | null {
  for (const flags of ['-m', '-Urm']) {
    try {
      execFileSync('unshare', [flags, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
      return ['unshare', flags];
    } catch {
      // Not this way.
    }
  }
  return null;
}

const unshare = findUnshare();
if (unshare === null)
  process.stderr.write('full disk tests are SKIPPED: neither `unshare -m` nor `unshare -Urm` may mount here\n');

const MOUNT_AND_RUN = `mount -t tmpfs -o size=${DISK} tmpfs "$1" && head -c ${BALLAST_KIB}k /dev/zero > "$1/ballast" && shift && exec "$@"`;

describe.skipIf(unshare === null)('a node whose disk is full', () => {
  let nodes: NodeProcesses;
  afterEach(() => nodes?.destroy());

  test('refuses writes with the reason, answers reads, and writes again when there is room', async () => {
    nodes = await NodeProcesses.plan(['only']);
    const disk = join(nodes.folder, 'disk');
    mkdirSync(disk);
    nodes.start('only', ['--data', join(disk, 'data')], [...(unshare ?? []), 'sh', '-c', MOUNT_AND_RUN, 'sh', disk]);
    await nodes.waitForGreen('only');
    const url = nodes.url('only');
    const settings = { number_of_shards: 1, number_of_replicas: 0 };
    expect((await call(url, 'PUT', '/full', { settings })).status).toBe(200);

    const write = (id: string): Promise<Answer> => call(url, 'PUT', `/full/_doc/${id}`, DOCUMENT);
    const acked: string[] = [];
    let refused: Answer | null = null;
    for (let i = 0; i < WRITES_MAX && refused === null; i++) {
      const answer = await write(`doc-${i}`);
      if (answer.status < 300) acked.push(`doc-${i}`);
      else refused = answer;
    }
    expect(acked.length).toBeGreaterThan(0);
    expect(refused?.status).toBe(503);
    expect(refused?.body.error.reason).toMatch(/no space left on device/);
    expect(refused?.text).not.toMatch(/\.(ts|js):\d+/);

    const found = await call(url, 'POST', '/full/_mget', { ids: acked });
    expect(found.status).toBe(200);
    expect(found.body.docs.filter((doc: { found: boolean }) => !doc.found)).toEqual([]);
    const page = await call(url, 'POST', '/full/_search', { size: 1 });
    expect([page.status, page.body._shards.failed]).toEqual([200, 0]);

    rmSync(nodes.pathSeenBy('only', join(disk, 'ballast')));
    const startedMs = performance.now();
    let again = await write('again');
    while (again.status >= 300 && performance.now() - startedMs < ROOM_WITHIN_MS) again = await write('again');
    expect([again.status, again.text]).toEqual([201, expect.any(String)]);
    await nodes.waitForGreen('only');
    await call(url, 'POST', '/full/_refresh');
    const { body } = await call(url, 'GET', '/full/_count');
    expect(body.count).toBeGreaterThanOrEqual(acked.length + 1);
  });

  test('takes the deletion of an index, and writes again in its room', async () => {
    nodes = await NodeProcesses.plan(['only']);
    const disk = join(nodes.folder, 'disk');
    mkdirSync(disk);
    nodes.start('only', ['--data', join(disk, 'data')], [...(unshare ?? []), 'sh', '-c', MOUNT_AND_RUN, 'sh', disk]);
    await nodes.waitForGreen('only');
    const url = nodes.url('only');
    const settings = { number_of_shards: 1, number_of_replicas: 0 };
    expect((await call(url, 'PUT', '/full', { settings })).status).toBe(200);
    const reserve = nodes.pathSeenBy('only', join(disk, 'data', '_state', 'reserve'));
    await expect.poll(() => existsSync(reserve) && statSync(reserve).size > 0, { timeout: ROOM_WITHIN_MS }).toBe(true);
    let status = 0;
    for (let i = 0; i < WRITES_MAX && status < 300; i++) {
      status = (await call(url, 'PUT', `/full/_doc/doc-${i}`, DOCUMENT)).status;
    }
    expect(status).toBe(503);
    // What small writes may still find is used up too.
    const ballast = nodes.pathSeenBy('only', join(disk, 'more'));
    expect(() => writeFileSync(ballast, new Uint8Array(16 * 1024 * 1024))).toThrow('ENOSPC');
    const deleted = await call(url, 'DELETE', '/full');
    expect([deleted.status, deleted.body]).toEqual([200, { acknowledged: true }]);
    expect((await call(url, 'PUT', '/next', { settings })).status).toBe(200);
    await expect
      .poll(async () => (await call(url, 'PUT', '/next/_doc/1', { n: 1 })).status, { timeout: ROOM_WITHIN_MS })
      .toBeLessThan(300);
  }, 90_000);
});
