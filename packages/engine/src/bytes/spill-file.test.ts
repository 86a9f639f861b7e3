import { createMemoryDisk } from '@shoal/runtime';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PiecePool } from './piece-pool.ts';
import { SpillFile } from './spill-file.ts';

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ to: fc.nat(2), bytes: fc.uint8Array({ maxLength: 90 }) }) },
  { weight: 1, arbitrary: fc.constant('write' as const) },
);

async function spillOn(disk = createMemoryDisk()) {
  const spill = new SpillFile(new PiecePool(1 << 20), 64);
  spill.attach(await disk.open('spill', 'create'), () => {});
  return spill;
}

describe('streams that share a file', () => {
  test('are read as they were appended, in order and anywhere, wherever their bytes went', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.nat(), fc.nat(), async (steps, a, b) => {
        const spill = await spillOn();
        for (let round = 0; round < 2; round++) {
          const streams = [spill.begin(), spill.begin(), spill.begin()];
          const expected: Uint8Array[][] = [[], [], []];
          for (const one of steps) {
            if (one === 'write') await spill.write();
            else {
              streams[one.to]?.raw(one.bytes);
              expected[one.to]?.push(one.bytes);
            }
          }
          streams.forEach((stream, i) => {
            const whole = Buffer.concat(expected[i] ?? []);
            expect(Buffer.concat([...stream.chunks()].map((chunk) => Buffer.from(chunk)))).toEqual(whole);
            const [from = 0, to = 0] = [a % (whole.length + 1), b % (whole.length + 1)].sort((x, y) => x - y);
            expect(Buffer.from(stream.read(from, to))).toEqual(whole.subarray(from, to));
            stream.release();
          });
          expect(spill.waitingBytes).toBe(0);
        }
        spill.close();
      }),
      { numRuns: 200 },
    );
  });

  test('use the room in the file again when all of them are gone', async () => {
    const disk = createMemoryDisk();
    const spill = await spillOn(disk);
    for (let round = 0; round < 5; round++) {
      const stream = spill.begin();
      stream.raw(new Uint8Array(1_000).fill(round));
      await spill.write();
      stream.release();
    }
    expect((await disk.stat('spill')).sizeBytes).toBe(1_000);
  });

  test('never give other bytes than were written', async () => {
    const disk = createMemoryDisk();
    const spill = await spillOn(disk);
    const stream = spill.begin();
    stream.raw(new Uint8Array(1_000));
    await spill.write();
    await (await disk.open('spill', 'update')).write(Uint8Array.of(1), 500);
    expect(() => [...stream.chunks()]).toThrow('are not those that were written');
  });
});
