/**
 * Plans that aim at one rule: a small sound cluster of one shard with much to write, and strokes of few kinds, close together. The swarm
 * rarely draws together what breaks such a rule.
 */
import { type SeededRandom, seededRandom } from '@shoal/simulation';
import { drawPlan } from './drawn-plan.test-support.ts';
import type { ClientMix, LifePlan, PlannedFault } from './life-plan.test-support.ts';

/** One stroke follows another so soon. */
const EVERY_MS = 8_000;
const STROKES = 5;
/** Most other nodes do without a copy of the shard. */
const NODES = 4;

/** How long the strokes last that have no time of their own. */
export const STROKE_MS = 4_000;

export const FIRST_SHARD = { index: 0, shard: 0 } as const;

export interface Aim {
  readonly replicas: number;
  /** What falls close together, by the time since the first of it; another one comes some seconds later. */
  readonly stroke: (random: SeededRandom) => readonly PlannedFault[];
  /** Time from one stroke to the next. */
  readonly everyMs?: number;
  readonly mix?: Partial<ClientMix>;
  readonly diskLatencyMaxMs?: number;
}

export function aimedPlan(
  seed: number,
  { replicas, stroke, everyMs = EVERY_MS, mix = {}, diskLatencyMaxMs = 1 }: Aim,
): LifePlan {
  const random = seededRandom(`aimed/${seed}`);
  const faultsMs = everyMs * STROKES;
  const drawn = drawPlan(seed);
  return {
    ...drawn,
    nodes: NODES,
    indices: [{ name: 'i0', shards: 1, replicas }],
    documents: 4,
    clients: 3,
    thinkMs: 400,
    patienceMs: 60_000,
    lateAnswers: true,
    bursts: true,
    mix: { ...drawn.mix, index: 4, ...mix },
    quietMs: 1_000,
    faultsMs,
    network: { latencyMinMs: 0.1, latencyMaxMs: 20, spikes: 0, spikeMs: 0 },
    diskLatencyMaxMs,
    work: { betweenReadingsMaxMs: 0.1, stalls: 0, stallMs: 0 },
    faults: Array.from({ length: STROKES }, (_, at) => Math.round((at + random.unit() / 4) * everyMs)).flatMap(
      (sinceMs) => stroke(random).map((planned) => ({ ...planned, atMs: sinceMs + planned.atMs })),
    ),
  };
}
