/**
 * One life, and what is told of it: what it was, or the report of what did not hold.
 */
import type { LifeReport } from './cluster-life.test-support.ts';
import type { LifePlan } from './life-plan.test-support.ts';
import { shrunkPlan } from './shrunk-plan.test-support.ts';
import { kindOfViolation, violationReport } from './violation-report.test-support.ts';

/** One life in so many is lived twice, and must go the same way. */
const REPEAT_EVERY = 100;

/** Lives a plan, and throws what did not hold. */
export type Live = (plan: LifePlan, onLogLine?: (line: string) => void) => Promise<LifeReport>;

/** Crosses from the process of a worker as it is. */
export type LifeOutcome =
  | { readonly kind: 'held'; readonly life: LifeReport }
  | { readonly kind: 'violated'; readonly report: string };

export interface LifeOptions {
  /** Given what the life logs; undefined: nobody looks. */
  readonly onLogLine: ((line: string) => void) | undefined;
  readonly shrink: boolean;
}

export async function outcomeOf(live: Live, plan: LifePlan, { onLogLine, shrink }: LifeOptions): Promise<LifeOutcome> {
  try {
    const life = await live(plan, onLogLine);
    if (Number(plan.seed) % REPEAT_EVERY !== 0) return { kind: 'held', life };
    const again = await live(plan);
    if (again.traceHash !== life.traceHash) {
      throw new Error(`lives of one seed differ: ${life.traceHash}, ${again.traceHash}`);
    }
    return { kind: 'held', life };
  } catch (error) {
    const report = violationReport(plan, error);
    return { kind: 'violated', report: shrink ? `${report}\n${await shrunk(live, plan, error)}` : report };
  }
}

async function shrunk(live: Live, plan: LifePlan, error: unknown): Promise<string> {
  const kind = kindOfViolation(error);
  const smaller = await shrunkPlan(plan, async (tried) => kindOfViolation(await failureOf(live, tried)) === kind);
  return `shrunk: ${JSON.stringify(smaller)}`;
}

async function failureOf(live: Live, plan: LifePlan): Promise<unknown> {
  try {
    await live(plan);
    return null;
  } catch (error) {
    return error;
  }
}
