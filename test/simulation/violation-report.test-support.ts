/**
 * What is printed of a life in which something did not hold: its seed, its plan, and the commands that live it again.
 */
import type { LifePlan } from './life-plan.test-support.ts';

export function violationReport(plan: LifePlan, error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const seed = `--seed ${plan.seed}${plan.long === undefined ? '' : ' --long'}`;
  return [
    `VIOLATION with seed ${plan.seed}: ${text}`,
    `plan: ${JSON.stringify(plan)}`,
    ...(typeof plan.seed === 'number'
      ? [`replay: npm run sim -- ${seed} --trace`, `smallest plan that fails alike: npm run sim -- ${seed} --shrink`]
      : []),
    'replay of a plan in a file: npm run sim -- --plan FILE --trace',
  ].join('\n');
}

/** What went wrong, without the numbers that differ between two lives of one fault. */
export function kindOfViolation(error: unknown): string {
  const [line = ''] = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).split('\n');
  return line.split(/[\d[{]/)[0] ?? line;
}
