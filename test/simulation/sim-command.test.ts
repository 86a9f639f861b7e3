/** The command `npm run sim`, with failures planted in lives that are right without them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { liveCluster } from './cluster-life.test-support.ts';
import { drawLongPlan } from './drawn-long-plan.test-support.ts';
import { drawPlan } from './drawn-plan.test-support.ts';
import { History } from './history.test-support.ts';
import type { LifePlan } from './life-plan.test-support.ts';
import { runSim, type SimSurroundings } from './sim-command.test-support.ts';
import { demand } from './violation.test-support.ts';

const SEED = 1;

/** A short life without faults. */
function quiet(plan: LifePlan): LifePlan {
  const mix = { ...plan.mix, index: 4, get: 4 };
  return { ...plan, faults: [], quietMs: 5_000, faultsMs: 5_000, thinkMs: 200, mix };
}

async function simulated(live: SimSurroundings['live']): Promise<{ readonly code: number; readonly text: string }> {
  const lines: string[] = [];
  const code = await runSim(['--seed', String(SEED)], alone(live, lines));
  return { code, text: lines.join('\n') };
}

/** One process that does all itself. */
function alone(live: SimSurroundings['live'], lines: string[]): SimSurroundings {
  const print = (line: string): void => void lines.push(line);
  const startWorker = (): never => expect.unreachable('a worker is started');
  return { live, print, processors: 1, startWorker };
}

/** Whoever else listens would take the planted rejection for one of this test. */
const othersOnRejections = process.listeners('unhandledRejection');

afterEach(() => {
  for (const other of othersOnRejections) {
    if (!process.listeners('unhandledRejection').includes(other)) process.on('unhandledRejection', other);
  }
});

test('a life in which everything holds ends with what it was', async () => {
  const { code, text } = await simulated((plan) => liveCluster(quiet(plan)));
  expect(text).toMatch(/^1 lives, .* 0 violations; \d+ acknowledged writes checked/);
  expect(code).toBe(0);
});

test('a check that fails within a client ends the life with its seed, its plan and how to live it again', async () => {
  class Distrustful extends History {
    override shown(): void {
      demand(false, () => 'planted: nobody is shown anything');
    }
  }
  const { code, text } = await simulated((plan) => liveCluster(quiet(plan), undefined, new Distrustful()));
  expect(text).toContain(`VIOLATION with seed ${SEED}: SimulationViolation: planted: nobody is shown anything`);
  expect(text).toContain(`plan: ${JSON.stringify(drawPlan(SEED))}`);
  expect(text).toContain(`replay: npm run sim -- --seed ${SEED} --trace`);
  expect(text).toContain(`npm run sim -- --seed ${SEED} --shrink`);
  expect(text).toMatch(/at \d+ ms of the life, behind these lines:/);
  expect(text).toContain('1 violations');
  expect(code).toBe(1);
});

test('a long life that fails is replayed as a long one', async () => {
  const lines: string[] = [];
  const lived: LifePlan[] = [];
  const live: SimSurroundings['live'] = (plan) => {
    lived.push(plan);
    throw new Error('planted');
  };
  expect(await runSim(['--seed', String(SEED), '--long'], alone(live, lines))).toBe(1);
  expect(await runSim(['--from', String(SEED), '--lives', '1', '--long'], alone(live, lines))).toBe(1);
  expect(lived).toEqual([drawLongPlan(SEED), drawLongPlan(SEED)]);
  expect(lines.join('\n')).toContain(`replay: npm run sim -- --seed ${SEED} --long --trace`);
});

test('a rejection that nobody waits for ends the life alike', async () => {
  for (const other of othersOnRejections) process.off('unhandledRejection', other);
  class Careless extends History {
    override shown(): void {
      void Promise.reject(new Error('planted: nobody waits for this'));
    }
  }
  const { code, text } = await simulated((plan) => liveCluster(quiet(plan), undefined, new Careless()));
  expect(text).toContain(`VIOLATION with seed ${SEED}: Error: planted: nobody waits for this`);
  expect(text).toContain(`replay: npm run sim -- --seed ${SEED} --trace`);
  expect(code).toBe(1);
});

test('a plan from a file is lived as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shoal-sim-'));
  try {
    const plan = quiet(drawPlan('of a file'));
    writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
    const lived: LifePlan[] = [];
    const live: SimSurroundings['live'] = (given) => {
      lived.push(given);
      throw new Error('planted');
    };
    const code = await runSim(['--plan', join(folder, 'plan.json')], alone(live, []));
    expect(lived).toEqual([plan]);
    expect(code).toBe(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function told(...args: readonly string[]): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const code = await runSim(
    args,
    alone(() => expect.unreachable('a life is lived'), lines),
  );
  return { code, lines };
}

test('asked for help it says its options and lives nothing', async () => {
  const { code, lines } = await told('--help');
  expect(lines.join('\n')).toMatch(/--from N .*--hours H .*--workers N .*--mutants TEXT /s);
  expect(code).toBe(0);
});

test.each([
  [['--hour', '3'], "Unknown option '--hour'"],
  [['5'], "Unexpected argument '5'"],
  [['--hours', 'two'], '--hours is a number, and not [two]'],
  [['--seed', '1.5'], '--seed is a whole number, and not [1.5]'],
  [['--seed', '1', '--hours', '3'], '--hours does not go with --seed'],
  [['--lives', '1', '--hours', '3'], '--hours does not go with --lives'],
  [['--quick'], '--quick needs --mutants'],
  [['--mutants', '', '--long'], '--long does not go with --mutants'],
  [['--workers', '0'], '--workers is a number from 1 to 256'],
  [['--trace', '--workers', '2'], '--trace prints the lines of one life after the other, and takes one worker'],
  [['--plan', '/nowhere'], "--plan /nowhere is no plan: ENOENT: no such file or directory, open '/nowhere'"],
])('%j is told to be wrong in one line', async (args, text) => {
  expect(await told(...args)).toEqual({ code: 2, lines: [`${text} (npm run sim -- --help says what there is)`] });
});

test('workers live the seeds of a range between them, each seed once', async () => {
  const lines: string[] = [];
  const lived: number[][] = [];
  const ended: number[] = [];
  const life = await liveCluster(quiet(drawPlan(SEED)));
  const surroundings: SimSurroundings = {
    ...alone(() => expect.unreachable('a life is lived here'), lines),
    processors: 3,
    startWorker: () => {
      const own: number[] = [];
      const at = lived.push(own) - 1;
      return {
        live: async (seed) => {
          own.push(seed);
          await Promise.resolve();
          return seed === 12 ? { kind: 'violated', report: 'planted' } : { kind: 'held', life };
        },
        end: () => void ended.push(at),
      };
    },
  };
  expect(await runSim(['--from', '10', '--lives', '7'], surroundings)).toBe(1);
  expect(lived.flat().sort((a, b) => a - b)).toEqual([10, 11, 12, 13, 14, 15, 16]);
  expect(lived.every(({ length }) => length > 0)).toBe(true);
  expect(ended).toEqual([0, 1, 2]);
  expect(lines.join('\n')).toMatch(/planted\nseeds 10 to 16: 6 lives, .* 1 violations;/);
});
