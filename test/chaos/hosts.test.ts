/**
 * The chaos harness itself: a blocked port is blocked, everything else goes on, and healing heals.
 */
import { once } from 'node:events';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { findPower, Hosts } from './hosts.test-support.ts';

const power = await findPower();
if (power.kind === 'none') process.stderr.write(`chaos harness tests are SKIPPED: ${power.reason}\n`);

const SERVER = `for (const port of [9200, 9300]) require('node:http').createServer((q, r) => r.end('ok')).listen(port, () => console.log(port))`;

describe.skipIf(power.kind === 'none')('a host of the harness', () => {
  let cleanUp: (() => Promise<void>) | null = null;
  afterEach(() => cleanUp?.());
  afterAll(() => {
    if (power.kind !== 'none') power.release();
  });

  test('loses one port and keeps the other', async () => {
    if (power.kind === 'none') return;
    const hosts = new Hosts(power, 1);
    hosts.create();
    const server = hosts.spawn(1, process.execPath, ['-e', SERVER]);
    cleanUp = async () => {
      const closed = once(server, 'close');
      server.kill('SIGKILL');
      await closed;
      await hosts.destroy();
    };
    let listening = '';
    for await (const chunk of server.stdout ?? []) if ((listening += chunk).includes('9300')) break;

    expect((await hosts.call(1, 'GET', '/')).status).toBe(200);
    hosts.block(1, 9200, 'reset');
    await expect(hosts.call(1, 'GET', '/')).rejects.toThrow(/ECONNREFUSED|reset|closed/i);
    hosts.unblock(1);
    hosts.block(1, 9300);
    expect((await hosts.call(1, 'GET', '/')).status).toBe(200);
  });
});
