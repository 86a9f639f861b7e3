/**
 * Random schedules over bare consensus states, from a seed: the uniform mix, and swarms whose probabilities are drawn per
 * seed, some of them zero.
 */
import { type SeededRandom, seededRandom } from '@shoal/simulation';
import type { NodeId } from '../steps/accepted-state.ts';
import type { ConsensusRules } from '../steps/consensus-rules.ts';
import { votingConfig } from '../steps/voting-config.ts';
import { ConsensusSchedule } from './consensus-schedule.test-support.ts';

export const UNIFORM_EVENTS = 400;
export const SWARM_EVENTS = 1_200;

interface Mix {
  readonly deliver: number;
  readonly duplicate: number;
  readonly drop: number;
  readonly stand: number;
  readonly propose: number;
  readonly reconfigure: number;
  readonly crash: number;
  readonly save: number;
  /** Newest packets first with this probability: a run that gets somewhere between faults. */
  readonly eager: number;
}

const UNIFORM: Mix = {
  deliver: 60,
  duplicate: 6,
  drop: 4,
  stand: 4,
  propose: 10,
  reconfigure: 4,
  crash: 2,
  save: 10,
  eager: 0.3,
};

function swarm(random: SeededRandom): Mix {
  const draw = (max: number): number => (random.chance(0.3) ? 0 : random.unit() ** 2 * max);
  return {
    deliver: 40 + random.unit() * 120,
    duplicate: draw(20),
    drop: draw(20),
    stand: 0.3 + random.unit() ** 2 * 8,
    propose: 1 + random.unit() * 15,
    reconfigure: draw(12),
    crash: draw(8),
    save: draw(20),
    eager: random.unit(),
  };
}

/** Runs one seed; returns how many states were committed. Throws what the checker or an assertion throws. */
export function fuzzConsensus(seed: number, kind: 'uniform' | 'swarm', rules: ConsensusRules): number {
  const random = seededRandom(`consensus/${kind}/${seed}`);
  const ids = ['n1', 'n2', 'n3', 'n4', 'n5'].slice(0, 2 + random.below(4));
  const initial = votingConfig(ids.slice(0, 1 + random.below(ids.length)));
  const schedule = new ConsensusSchedule(ids, initial, rules);
  const mix = kind === 'uniform' ? UNIFORM : swarm(random);
  const events = kind === 'uniform' ? UNIFORM_EVENTS : SWARM_EVENTS;
  for (let event = 0; event < events; event++) step(schedule, mix, random);
  return schedule.checker.commitCount;
}

function step(schedule: ConsensusSchedule, mix: Mix, random: SeededRandom): void {
  const { ids, pool } = schedule;
  const id = random.pick(ids);
  switch (draw(mix, random)) {
    case 'deliver':
      deliverOne(schedule, mix, random, true);
      return;
    case 'duplicate':
      deliverOne(schedule, mix, random, false);
      return;
    case 'drop':
      if (pool.length > 0) pool.splice(random.below(pool.length), 1);
      return;
    case 'stand': {
      const highest = Math.max(...ids.map((it) => schedule.stateOf(it).currentTerm));
      const term = Math.max(1, highest + (random.chance(0.7) ? 1 : random.below(3) - 1));
      schedule.stand(id, term, random.chance(0.7) ? ids : subset(ids, random));
      return;
    }
    case 'propose':
      schedule.propose(leaderOr(schedule, id), undefined, random.chance(0.9) ? 1 : 2);
      return;
    case 'reconfigure':
      schedule.propose(leaderOr(schedule, id), subset(ids, random));
      return;
    case 'crash':
      schedule.crash(id);
      return;
    case 'save':
      schedule.save(id);
      return;
  }
}

function deliverOne(schedule: ConsensusSchedule, mix: Mix, random: SeededRandom, remove: boolean): void {
  const { pool } = schedule;
  if (pool.length === 0) return;
  const at = random.chance(mix.eager)
    ? pool.length - 1 - random.below(Math.min(4, pool.length))
    : random.below(pool.length);
  const packet = pool[at]!;
  if (remove) pool.splice(at, 1);
  schedule.deliver(packet);
}

function leaderOr(schedule: ConsensusSchedule, id: NodeId): NodeId {
  return schedule.ids.find((it) => schedule.stateOf(it).electionWon) ?? id;
}

function subset(ids: readonly NodeId[], random: SeededRandom): NodeId[] {
  const chosen = ids.filter(() => random.chance(0.6));
  return chosen.length > 0 ? chosen : [random.pick(ids)];
}

type Action = Exclude<keyof Mix, 'eager'>;
const ACTIONS: readonly Action[] = ['deliver', 'duplicate', 'drop', 'stand', 'propose', 'reconfigure', 'crash', 'save'];

function draw(mix: Mix, random: SeededRandom): Action {
  let left = random.unit() * ACTIONS.reduce((sum, action) => sum + mix[action], 0);
  for (const action of ACTIONS) {
    left -= mix[action];
    if (left < 0) return action;
  }
  return 'deliver';
}
