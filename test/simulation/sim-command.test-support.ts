/**
 * The command `npm run sim`: lives of a whole cluster, one seed after the other, until so many hours are simulated. A life in which
 * something does not hold is printed with its seed, its plan and how to live it again.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { LifeReport } from './cluster-life.test-support.ts';
import { CLUSTER_MUTANTS, searchMutant } from './cluster-mutants.test-support.ts';
import { drawPlan } from './drawn-plan.test-support.ts';
import type { LifePlan } from './life-plan.test-support.ts';
import { LifeTotals } from './life-totals.test-support.ts';
import { shrunkPlan } from './shrunk-plan.test-support.ts';
import { kindOfViolation, violationReport } from './violation-report.test-support.ts';

/** One life in so many is lived twice, and must go the same way. */
const REPEAT_EVERY = 100;
const PRINT_EVERY = 20;
const HOURS_DEFAULT = 1;
/** Lives that are lived for a rule of which nobody knows how many show its loss. */
const MUTANT_LIVES = 20;
const QUICK_LIVES = 12;
/** Lives with violations after which there is enough to mend. */
const VIOLATIONS_MAX = 20;

export interface SimSurroundings {
  /** Lives a plan, and throws what did not hold. */
  readonly live: (plan: LifePlan, onLogLine?: (line: string) => void) => Promise<LifeReport>;
  readonly print: (text: string) => void;
}

/** @returns the exit code of the process: 1 when something did not hold */
export async function runSim(args: readonly string[], surroundings: SimSurroundings): Promise<number> {
  const options = readOptions(args);
  const lives = new SimLives(surroundings, options);
  if (options.mutants !== null) return runMutants(surroundings, options, options.mutants);
  if (options.plans.length > 0) for (const plan of options.plans) await lives.run(plan);
  else if (options.seed !== null) await lives.run(drawPlan(options.seed));
  else await lives.runHours(options.hours, options.from);
  surroundings.print(lives.totals.text());
  return lives.totals.violations > 0 ? 1 : 0;
}

/** @returns 1 when the loss of a rule shows in none of its lives */
async function runMutants({ live, print }: SimSurroundings, options: SimOptions, wanted: string): Promise<number> {
  let survivors = 0;
  for (const mutant of CLUSTER_MUTANTS) {
    const { name, within } = mutant;
    if (!name.includes(wanted) || (options.quick && (within === 0 || within > QUICK_LIVES))) continue;
    const livesMax = options.lives ?? (within === 0 ? MUTANT_LIVES : within);
    const { lives, caught } = await searchMutant(mutant, livesMax, (plan) => live(plan));
    if (caught === null) survivors += 1;
    const [line] = String(caught?.error).split('\n');
    print(`${name}: ${caught === null ? `SURVIVES ${lives} lives` : `life ${lives}, seed ${caught.seed}: ${line}`}`);
  }
  return survivors > 0 ? 1 : 0;
}

interface SimOptions {
  /** Lives without one rule each, of those whose name has this text; null: with all rules. */
  readonly mutants: string | null;
  /** Only those that few lives show. */
  readonly quick: boolean;
  /** Lives that are lived at most; null: as many as the hours take. */
  readonly lives: number | null;
  readonly plans: readonly LifePlan[];
  readonly seed: number | null;
  readonly from: number;
  readonly hours: number;
  readonly trace: boolean;
  readonly shrink: boolean;
}

function readOptions(args: readonly string[]): SimOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      mutants: { type: 'string' },
      lives: { type: 'string' },
      quick: { type: 'boolean', default: false },
      plan: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
      from: { type: 'string', default: '1' },
      hours: { type: 'string', default: String(HOURS_DEFAULT) },
      trace: { type: 'boolean', default: false },
      shrink: { type: 'boolean', default: false },
    },
  });
  return {
    mutants: values.mutants ?? null,
    quick: values.quick,
    lives: values.lives === undefined ? null : numberOf(values.lives, 'lives'),
    // Printed by this command before.
    plans: values.plan.map((path) => JSON.parse(readFileSync(path, 'utf8')) as LifePlan),
    seed: values.seed === undefined ? null : numberOf(values.seed, 'seed'),
    from: numberOf(values.from, 'from'),
    hours: numberOf(values.hours, 'hours'),
    trace: values.trace,
    shrink: values.shrink,
  };
}

function numberOf(text: string, option: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new Error(`--${option} is a number, and not [${text}]`);
  return value;
}

class SimLives {
  readonly totals = new LifeTotals();
  readonly #surroundings: SimSurroundings;
  readonly #options: SimOptions;

  constructor(surroundings: SimSurroundings, options: SimOptions) {
    this.#surroundings = surroundings;
    this.#options = options;
  }

  async runHours(hours: number, from: number): Promise<void> {
    const { totals } = this;
    const { lives } = this.#options;
    const isOver = (seed: number): boolean =>
      totals.violations >= VIOLATIONS_MAX || (lives === null ? totals.hours >= hours : seed - from >= lives);
    for (let seed = from; !isOver(seed); seed++) {
      await this.run(drawPlan(seed));
      if (totals.lives % PRINT_EVERY === 0) this.#surroundings.print(`to seed ${seed}: ${totals.text()}`);
    }
  }

  async run(plan: LifePlan): Promise<void> {
    const { live, print } = this.#surroundings;
    try {
      const life = await live(plan, this.#options.trace ? print : undefined);
      this.totals.add(life);
      if (Number(plan.seed) % REPEAT_EVERY !== 0) return;
      const again = await live(plan);
      if (again.traceHash !== life.traceHash)
        throw new Error(`lives of one seed differ: ${life.traceHash}, ${again.traceHash}`);
    } catch (error) {
      this.totals.violations += 1;
      await this.#report(plan, error);
    }
  }

  async #report(plan: LifePlan, error: unknown): Promise<void> {
    const { print } = this.#surroundings;
    print(`\n${violationReport(plan, error)}`);
    if (!this.#options.shrink) return;
    const kind = kindOfViolation(error);
    const smaller = await shrunkPlan(plan, async (tried) => kindOfViolation(await this.#failureOf(tried)) === kind);
    print(`shrunk: ${JSON.stringify(smaller)}`);
  }

  async #failureOf(plan: LifePlan): Promise<unknown> {
    try {
      await this.#surroundings.live(plan);
      return null;
    } catch (error) {
      return error;
    }
  }
}
