/**
 * The command `npm run sim`: lives of a whole cluster, one seed after the other, until so many hours are simulated. A life in which
 * something does not hold is printed with its seed, its plan and how to live it again.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { LifeReport } from './cluster-life.test-support.ts';
import { drawPlan } from './drawn-plan.test-support.ts';
import type { LifePlan } from './life-plan.test-support.ts';
import { LifeTotals } from './life-totals.test-support.ts';
import { shrunkPlan } from './shrunk-plan.test-support.ts';
import { kindOfViolation, violationReport } from './violation-report.test-support.ts';

/** One life in so many is lived twice, and must go the same way. */
const REPEAT_EVERY = 100;
const PRINT_EVERY = 20;
const HOURS_DEFAULT = 1;
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
  if (options.plan !== null) await lives.run(options.plan);
  else if (options.seed !== null) await lives.run(drawPlan(options.seed));
  else await lives.runHours(options.hours, options.from);
  surroundings.print(lives.totals.text());
  return lives.totals.violations > 0 ? 1 : 0;
}

interface SimOptions {
  readonly plan: LifePlan | null;
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
      plan: { type: 'string' },
      seed: { type: 'string' },
      from: { type: 'string', default: '1' },
      hours: { type: 'string', default: String(HOURS_DEFAULT) },
      trace: { type: 'boolean', default: false },
      shrink: { type: 'boolean', default: false },
    },
  });
  return {
    // Printed by this command before.
    plan: values.plan === undefined ? null : (JSON.parse(readFileSync(values.plan, 'utf8')) as LifePlan),
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
    for (let seed = from; totals.hours < hours && totals.violations < VIOLATIONS_MAX; seed++) {
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
