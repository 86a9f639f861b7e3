import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OperationPermits } from './operation-permits.ts';

describe('permits of operations', () => {
  test('let operations run beside each other, and a change beside nothing; all of them end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), fc.nat(6), fc.boolean())), async (works) => {
        const permits = new OperationPermits();
        let operations = 0;
        let changes = 0;
        const faults: string[] = [];
        const done = works.map(async ([isChange, turns, fails]) => {
          const work = async (): Promise<void> => {
            if (isChange) changes++;
            else operations++;
            for (let turn = 0; turn <= turns; turn++) {
              if (changes > 1 || (changes === 1 && operations > 0)) faults.push(`${changes} beside ${operations}`);
              if (permits.running < operations) faults.push(`${operations} of ${permits.running}`);
              await Promise.resolve();
            }
            if (isChange) changes--;
            else operations--;
            if (fails) throw new Error('failed');
          };
          await (isChange ? permits.alone(work) : permits.run(work)).catch(() => {});
        });
        await Promise.all(done);
        expect({ operations, changes, running: permits.running, faults }).toEqual({
          operations: 0,
          changes: 0,
          running: 0,
          faults: [],
        });
      }),
    );
  });

  test('keep out who comes while a change waits', async () => {
    const permits = new OperationPermits();
    const log: string[] = [];
    let end: () => void = () => {};
    const first = permits.run(async () => {
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      log.push('first');
    });
    const change = permits.alone(async () => void log.push('change'));
    const second = permits.run(async () => void log.push('second'));
    await Promise.resolve();
    end();
    await Promise.all([first, change, second]);
    expect(log).toEqual(['first', 'change', 'second']);
  });

  test('begin works in the order in which they were asked for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), fc.nat(4))), async (works) => {
        const permits = new OperationPermits();
        const begun: number[] = [];
        const done = works.map(([isChange, turns], at) => {
          const work = async (): Promise<void> => {
            begun.push(at);
            for (let turn = 0; turn < turns; turn++) await Promise.resolve();
          };
          return isChange ? permits.alone(work) : permits.run(work);
        });
        await Promise.all(done);
        expect(begun).toEqual(works.map((_, at) => at));
      }),
    );
  });
});
