import { createWorld } from '@shoal/simulation';
import { expect, test } from 'vitest';
import { type AccessEntry, openAccessLog } from './access-log.ts';

const entry = (target: string): AccessEntry => ({
  remoteAddress: '::1',
  method: 'GET',
  target,
  protocol: 'HTTP/1.1',
  status: 200,
  bytes: 5,
  referrer: null,
  userAgent: null,
});

test('lines that come while others are written, and after them, are all in the file', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    // A slow disk: the gathering time of later lines ends while earlier ones are written, which takes them along.
    const world = createWorld({ seed, disk: { latencyMaxMs: 150 } });
    const { runtime } = world.node('a');
    const log = await world.settle(openAccessLog(runtime, { path: 'access.log', fileBytesMax: 1_000_000 }));
    const targets: string[] = [];
    for (let i = 0; i < 60; i++) {
      targets.push(`/${i}`);
      log.write(entry(`/${i}`));
      await world.run(world.nowMs + 1 + world.random.unit() * 150);
    }
    await world.run(world.nowMs + 2_000);
    const text = new TextDecoder().decode(await world.settle(runtime.disk.readFile('access.log')));
    const written = [...text.matchAll(/GET (\S+)/g)].map((match) => match[1]);
    expect(written, `seed ${seed}`).toEqual(targets);
    await world.settle(log.close());
  }
});
