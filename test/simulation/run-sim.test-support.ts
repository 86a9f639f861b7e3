/**
 * The command behind `npm run sim`: lives of a whole cluster, one seed after the other, until so many hours are simulated. A life in
 * which something does not hold is printed with its seed and its plan.
 */
import { parseArgs } from 'node:util';
import { liveCluster } from './cluster-life.test-support.ts';
import { drawPlan } from './drawn-plan.test-support.ts';
import type { LifePlan } from './life-plan.test-support.ts';
import { LifeTotals } from './life-totals.test-support.ts';
import { shrunkPlan } from './shrunk-plan.test-support.ts';

/** One life in so many is lived twice, and must go the same way. */
const REPEAT_EVERY = 100;
const PRINT_EVERY = 20;
const HOURS_DEFAULT = 1;
/** Lives with violations after which there is enough to mend. */
const VIOLATIONS_MAX = 20;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    hours: { type: 'string', default: String(HOURS_DEFAULT) },
    trace: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
  },
});

/** What went wrong, without the numbers that differ between two lives of one fault. */
function kindOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).split('\n');
  return line.split(/[\d[{]/)[0] ?? line;
}

async function failureOf(plan: LifePlan): Promise<unknown> {
  try {
    await liveCluster(plan);
    return null;
  } catch (error) {
    return error;
  }
}

async function report(plan: LifePlan, error: unknown): Promise<void> {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stdout.write(`\nVIOLATION with seed ${plan.seed}: ${text}\nplan: ${JSON.stringify(plan)}\n`);
  if (!values.shrink) return;
  const kind = kindOf(error);
  const smaller = await shrunkPlan(plan, async (tried) => kindOf(await failureOf(tried)) === kind);
  process.stdout.write(`shrunk: ${JSON.stringify(smaller)}\n`);
}

async function run(seed: number): Promise<void> {
  const plan = drawPlan(seed);
  try {
    const life = await liveCluster(plan, values.trace ? (line) => process.stdout.write(`${line}\n`) : undefined);
    totals.add(life);
    if (seed % REPEAT_EVERY !== 0) return;
    const again = await liveCluster(plan);
    if (again.traceHash !== life.traceHash)
      throw new Error(`lives of one seed differ: ${life.traceHash}, ${again.traceHash}`);
  } catch (error) {
    totals.violations += 1;
    await report(plan, error);
  }
}

function numberOf(text: string, option: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new Error(`--${option} is a number, and not [${text}]`);
  return value;
}

// Whoever reads the output may stop to.
process.stdout.on('error', () => process.exit(1));
const totals = new LifeTotals();
if (values.seed !== undefined) await run(numberOf(values.seed, 'seed'));
else {
  const hours = numberOf(values.hours, 'hours');
  for (let seed = numberOf(values.from, 'from'); totals.hours < hours && totals.violations < VIOLATIONS_MAX; seed++) {
    await run(seed);
    if (totals.lives % PRINT_EVERY === 0) process.stdout.write(`to seed ${seed}: ${totals.text()}\n`);
  }
}
process.stdout.write(`${totals.text()}\n`);
process.exitCode = totals.violations > 0 ? 1 : 0;
