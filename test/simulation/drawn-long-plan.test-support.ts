/**
 * Draws plans of lives of hours to days: a node is away for longer than its leases last, and whatever happens rarely has the time to.
 * What is not of the length is drawn as for any other life.
 */
import { type SeededRandom, seededRandom } from '@shoal/simulation';
import { CLASSES, drawPlan, FAULT_KINDS } from './drawn-plan.test-support.ts';
import type { FaultKind, LifePlan, PlannedFault } from './life-plan.test-support.ts';

export type LifeSpan = 'usual' | 'long';

const HOUR_MS = 3_600_000;
const HOURS_MIN = 6;
const HOURS_MAX = 48;
const CLASS_CHANCE = 0.3;
/** Faults of one class. */
const FAULTS_MAX = 6;
const FAULT_MS_MIN = 5_000;
/** Leases of copies that are gone end after twelve hours. */
const FAULT_MS_MAX = 18 * HOUR_MS;
const CALLS_PER_LIFE = 400;
/** Classes whose faults are short in every life, with their longest time: clients that get no answer for hours show little. */
const SHORT: Partial<Record<FaultKind, number>> = { pause: 120_000, closedIndex: 60_000, spikes: HOUR_MS };

/** Seeds of one span have nothing to do with those of another. */
export function drawPlanOf({ seed, span }: { readonly seed: number; readonly span: LifeSpan }): LifePlan {
  return span === 'long' ? drawLongPlan(seed) : drawPlan(seed);
}

export function drawLongPlan(seed: number): LifePlan {
  const random = seededRandom(`long life/${seed}`);
  const plan = drawPlan(`long life/${seed}`);
  const faultsMs = Math.round(HOUR_MS * (HOURS_MIN + random.unit() * (HOURS_MAX - HOURS_MIN)));
  const nodes = random.pick([3, 3, 3, 4]);
  const faults = drawFaults(random.fork('faults'), { nodes, indices: plan.indices.length, faultsMs });
  return { ...plan, nodes, seed, long: true, faultsMs, thinkMs: (faultsMs * plan.clients) / CALLS_PER_LIFE, faults };
}

function drawFaults(
  random: SeededRandom,
  { nodes, indices, faultsMs }: { readonly nodes: number; readonly indices: number; readonly faultsMs: number },
): readonly PlannedFault[] {
  const planned: PlannedFault[] = [];
  for (const kind of FAULT_KINDS) {
    const own = random.fork(kind);
    if (!own.chance(CLASS_CHANCE)) continue;
    for (let count = 1 + own.below(FAULTS_MAX); count > 0; count--) {
      const atMs = Math.round(own.unit() * faultsMs);
      // Seconds, minutes and hours are drawn equally often.
      const wanted = FAULT_MS_MIN * (FAULT_MS_MAX / FAULT_MS_MIN) ** own.unit();
      const lastsMs = Math.round(Math.min(wanted, SHORT[kind] ?? Number.POSITIVE_INFINITY, faultsMs - atMs));
      planned.push({ atMs, lastsMs, fault: CLASSES[kind](own, nodes, indices) });
    }
  }
  return planned.sort((a, b) => a.atMs - b.atMs);
}
