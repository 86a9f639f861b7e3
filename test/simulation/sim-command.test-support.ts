/**
 * The command `npm run sim`: lives of a whole cluster, one seed after the other, until so many hours are simulated. A life in which
 * something does not hold is printed with its seed, its plan and how to live it again.
 */
import { CLUSTER_MUTANTS, searchMutant } from './cluster-mutants.test-support.ts';
import { drawPlanOf, type LifeSpan } from './drawn-long-plan.test-support.ts';
import { type LifeOutcome, type Live, outcomeOf } from './life-outcome.test-support.ts';
import type { LifePlan } from './life-plan.test-support.ts';
import { LifeTotals } from './life-totals.test-support.ts';
import {
  type MutantOptions,
  type RangeOptions,
  readSimOptions,
  SIM_HELP,
  type SimOptions,
  WrongOption,
} from './sim-options.test-support.ts';

const PRINT_EVERY = 20;
/** Lives that are lived for a rule of which nobody knows how many show its loss. */
const MUTANT_LIVES = 20;
const QUICK_LIVES = 12;
/** Lives with violations after which there is enough to mend. */
const VIOLATIONS_MAX = 20;
const WRONG_OPTION_CODE = 2;

/** A process that lives one seed at a time. */
export interface SimWorker {
  live(seed: number): Promise<LifeOutcome>;
  end(): void;
}

export interface SimSurroundings {
  readonly live: Live;
  readonly print: (text: string) => void;
  /** How many workers run where nobody says it; 1 where there are none. */
  readonly processors: number;
  readonly startWorker: (options: { readonly shrink: boolean; readonly span: LifeSpan }) => SimWorker;
}

/** @returns the exit code of the process: 1 when something did not hold, 2 when an option is wrong */
export async function runSim(args: readonly string[], surroundings: SimSurroundings): Promise<number> {
  try {
    const options = readSimOptions(args, surroundings.processors);
    return await runMode(options, surroundings);
  } catch (error) {
    if (!(error instanceof WrongOption)) throw error;
    surroundings.print(`${error.message} (npm run sim -- --help says what there is)`);
    return WRONG_OPTION_CODE;
  }
}

async function runMode(options: SimOptions, surroundings: SimSurroundings): Promise<number> {
  const { mode } = options;
  const lives = new SimLives(surroundings, options);
  switch (mode.kind) {
    case 'help':
      surroundings.print(SIM_HELP);
      return 0;
    case 'mutants':
      return runMutants(surroundings, mode.options);
    case 'plans':
      for (const plan of mode.plans) await lives.run(plan);
      surroundings.print(lives.totals.text());
      break;
    case 'seed':
      await lives.run(drawPlanOf(mode));
      surroundings.print(lives.totals.text());
      break;
    default:
      surroundings.print(`seeds ${mode.range.from} to ${await lives.runRange(mode.range)}: ${lives.totals.text()}`);
  }
  return lives.totals.violations > 0 ? 1 : 0;
}

/** @returns 1 when the loss of a rule shows in none of its lives */
async function runMutants({ live, print }: SimSurroundings, options: MutantOptions): Promise<number> {
  let survivors = 0;
  for (const mutant of CLUSTER_MUTANTS) {
    const { name, within } = mutant;
    if (!name.includes(options.wanted) || (options.quick && (within === 0 || within > QUICK_LIVES))) continue;
    const livesMax = options.lives ?? (within === 0 ? MUTANT_LIVES : within);
    const { lives, caught } = await searchMutant(mutant, livesMax, (plan) => live(plan));
    if (caught === null) survivors += 1;
    const [line] = String(caught?.error).split('\n');
    print(`${name}: ${caught === null ? `SURVIVES ${lives} lives` : `life ${lives}, seed ${caught.seed}: ${line}`}`);
  }
  return survivors > 0 ? 1 : 0;
}

class SimLives {
  readonly totals = new LifeTotals();
  readonly #surroundings: SimSurroundings;
  readonly #options: SimOptions;

  constructor(surroundings: SimSurroundings, options: SimOptions) {
    this.#surroundings = surroundings;
    this.#options = options;
  }

  /** @returns the last seed that was lived */
  async runRange(range: RangeOptions): Promise<number> {
    const workers = this.#workersFor(range);
    let next = range.from;
    try {
      await Promise.all(
        workers.map(async (worker) => {
          while (!this.#isOver(range, next)) {
            const seed = next;
            next += 1;
            this.#tell(await worker.live(seed));
            const { totals } = this;
            if (totals.endedCount % PRINT_EVERY === 0)
              this.#surroundings.print(`to seed ${next - 1}: ${totals.text()}`);
          }
        }),
      );
    } finally {
      for (const worker of workers) worker.end();
    }
    return next - 1;
  }

  async run(plan: LifePlan): Promise<void> {
    this.#tell(await this.#live(plan));
  }

  /** Seeds are given out in their order; what was given out is lived to its end. */
  #isOver({ from, hours, lives }: RangeOptions, next: number): boolean {
    const { totals } = this;
    if (totals.violations >= VIOLATIONS_MAX) return true;
    return lives === null ? totals.hours >= hours : next - from >= lives;
  }

  #workersFor({ workers, span }: RangeOptions): readonly SimWorker[] {
    const { shrink } = this.#options;
    if (workers > 1) return Array.from({ length: workers }, () => this.#surroundings.startWorker({ shrink, span }));
    return [{ live: (seed) => this.#live(drawPlanOf({ seed, span })), end: () => undefined }];
  }

  #live(plan: LifePlan): Promise<LifeOutcome> {
    const { trace, shrink } = this.#options;
    const { live, print } = this.#surroundings;
    return outcomeOf(live, plan, { onLogLine: trace ? print : undefined, shrink });
  }

  #tell(outcome: LifeOutcome): void {
    if (outcome.kind === 'held') {
      this.totals.add(outcome.life);
      return;
    }
    this.totals.violations += 1;
    this.#surroundings.print(`\n${outcome.report}`);
  }
}
