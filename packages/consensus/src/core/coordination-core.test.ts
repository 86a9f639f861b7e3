/**
 * The contract of the core with its shell, one event at a time. Behaviour of many nodes together stands in the simulation.
 */
import { describe, expect, test } from 'vitest';
import type {
  BootstrapPlan,
  CoordinationCore,
  CoordinationEffect,
  CoordinationEvent,
} from '../effects/coordination-events.ts';
import { DEFAULT_COORDINATION_SETTINGS } from '../effects/coordination-settings.ts';
import { EMPTY_VALUE, SIM_MODEL, type SimValue, simNode } from '../simulation/sim-value.test-support.ts';
import { initialDurableState } from '../steps/consensus-state.ts';
import { createCoordination } from './coordination-core.ts';

type Effect = CoordinationEffect<SimValue>;

const LOCAL = simNode('n1', 1, ['cluster_manager', 'data']);
const OTHER = simNode('n2', 1, ['cluster_manager', 'data']);

function core(bootstrap: BootstrapPlan, local: typeof LOCAL = LOCAL): CoordinationCore<SimValue> {
  return createCoordination({
    local,
    settings: DEFAULT_COORDINATION_SETTINGS,
    bootstrap,
    model: SIM_MODEL,
    durable: initialDurableState(EMPTY_VALUE),
  });
}

/** Steps, and answers every `apply` at once, as a shell with nothing to apply would. */
function step(node: CoordinationCore<SimValue>, event: CoordinationEvent<SimValue>): Effect[] {
  const effects = [...node.step(event)];
  for (const effect of effects) {
    if (effect.kind === 'apply') effects.push(...node.step({ kind: 'applied', ticket: effect.ticket, failure: null }));
  }
  return effects;
}

function kinds(effects: readonly Effect[]): string[] {
  return effects.filter((effect) => effect.kind !== 'log').map((effect) => effect.kind);
}

function singleLeader(): CoordinationCore<SimValue> {
  const node = core({ kind: 'singleNode' });
  step(node, { kind: 'start' });
  step(node, { kind: 'timer', id: 'election' });
  return node;
}

describe('a single node', () => {
  test('bootstraps itself without looking for others, and is cluster manager after its first commit', () => {
    const node = core({ kind: 'singleNode' });
    const started = step(node, { kind: 'start' });
    expect(kinds(started)).toEqual(['persist', 'schedule', 'schedule']);
    const effects = step(node, { kind: 'timer', id: 'election' });
    expect(node.mode).toBe('leader');
    expect(effects.filter((effect) => effect.kind === 'persist').map((effect) => effect.what)).toEqual([
      'term',
      'accepted',
      'commit',
    ]);
    expect(effects.find((effect) => effect.kind === 'apply')).toMatchObject({ manager: LOCAL, state: { version: 1 } });
  });

  test('waits for no chance before its first attempt to be elected, and again only after that', () => {
    const node = core({ kind: 'singleNode' });
    expect(step(node, { kind: 'start' })).toContainEqual({ kind: 'schedule', id: 'election', afterMs: 0 });
    step(node, { kind: 'health', healthy: false, reason: 'disk' });
    expect(step(node, { kind: 'health', healthy: true, reason: '' })).toContainEqual({
      kind: 'schedule',
      id: 'election',
      afterMs: 0,
    });
    expect(step(node, { kind: 'timer', id: 'election' })).toContainEqual(
      expect.objectContaining({ kind: 'randomDelay', id: 'election' }),
    );
  });

  test('completes an update that changes nothing without a publication', () => {
    const node = singleLeader();
    const effects = step(node, { kind: 'propose', ticket: 7, source: 'nothing', update: (value) => value });
    expect(effects).toEqual([{ kind: 'complete', ticket: 7, result: { kind: 'committed', allApplied: true } }]);
  });

  test('publishes all that waits as one state', () => {
    const node = singleLeader();
    const add = (name: string) => (value: SimValue) => ({ ...value, writes: [...value.writes, name] });
    const first = [...node.step({ kind: 'propose', ticket: 1, source: 'a', update: add('a') })];
    for (const ticket of [2, 3]) {
      expect(node.step({ kind: 'propose', ticket, source: `${ticket}`, update: add(`${ticket}`) })).toEqual([]);
    }
    const apply = first.find((effect) => effect.kind === 'apply');
    const then = step(node, { kind: 'applied', ticket: apply?.ticket ?? 0, failure: null });
    const applied = then.flatMap((effect) => (effect.kind === 'apply' ? [effect.state.value.writes] : []));
    expect(applied).toEqual([['a', '2', '3']]);
    expect(then.flatMap((effect) => (effect.kind === 'complete' ? [effect.ticket] : []))).toEqual([1, 2, 3]);
  });

  test('steps down when its disk or event loop is unhealthy, and shows no manager', () => {
    const node = singleLeader();
    const effects = step(node, { kind: 'health', healthy: false, reason: 'disk' });
    expect(node.mode).toBe('candidate');
    expect(effects.find((effect) => effect.kind === 'apply')).toMatchObject({ manager: null });
  });

  test('takes nobody in', () => {
    const join = { kind: 'join', join: null, minimumTerm: 0, committedClusterUuid: null } as const;
    const effects = step(singleLeader(), { kind: 'request', from: OTHER, replyTo: 1, request: join });
    expect(effects).toEqual([{ kind: 'refuse', replyTo: 1, reason: 'discovery.type is single-node here' }]);
  });
});

describe('a node', () => {
  test('that is one voter of several waits a random time before each attempt to be elected', () => {
    const node = core({ kind: 'initialNodes', names: ['n1', 'n2'] });
    step(node, { kind: 'start' });
    const effects = step(node, { kind: 'peerFound', node: OTHER });
    expect(effects.filter((effect) => 'id' in effect && effect.id === 'election')).toEqual([
      expect.objectContaining({ kind: 'randomDelay' }),
    ]);
  });

  test('makes the term durable before its vote leaves', () => {
    const node = core({ kind: 'none' });
    step(node, { kind: 'start' });
    const startJoin = { kind: 'startJoin', term: 3, candidate: OTHER } as const;
    const effects = step(node, { kind: 'request', from: OTHER, replyTo: 1, request: startJoin });
    expect(kinds(effects)).toEqual(['persist', 'send', 'reply']);
    expect(effects[1]).toMatchObject({ to: OTHER, request: { kind: 'join', join: { term: 3, to: 'n2' } } });
  });

  test('that may not lead never calls an election', () => {
    const node = core({ kind: 'initialNodes', names: ['n1'] }, { ...LOCAL, roles: ['cluster_manager', 'voting_only'] });
    expect(kinds(step(node, { kind: 'start' }))).not.toContain('randomDelay');
  });

  test('that belongs to one cluster refuses the state of another', () => {
    const node = singleLeader();
    const { accepted } = initialDurableState(EMPTY_VALUE);
    const state = { ...accepted, term: 9, version: 9, clusterUuid: 'foreign' };
    const effects = step(node, { kind: 'request', from: OTHER, replyTo: 1, request: { kind: 'publish', state } });
    expect(effects).toEqual([
      { kind: 'refuse', replyTo: 1, reason: expect.stringMatching(/different cluster uuid foreign than local/) },
    ]);
    expect(node.snapshot().term).toBe(1);
  });

  test('that is unhealthy votes for nobody and answers no check', () => {
    const node = core({ kind: 'none' });
    step(node, { kind: 'start' });
    step(node, { kind: 'health', healthy: false, reason: 'disk' });
    for (const request of [
      { kind: 'startJoin', term: 3, candidate: OTHER },
      { kind: 'preVote', currentTerm: 3 },
      { kind: 'followerCheck', term: 3 },
    ] as const) {
      const effects = step(node, { kind: 'request', from: OTHER, replyTo: 1, request });
      expect(effects).toEqual([{ kind: 'refuse', replyTo: 1, reason: 'node is unhealthy' }]);
    }
    expect(node.snapshot().term).toBe(0);
  });

  test('says that it is no manager to a proposal', () => {
    const node = core({ kind: 'none' });
    const effects = step(node, { kind: 'propose', ticket: 4, source: 'x', update: (value) => value });
    expect(effects).toMatchObject([{ kind: 'complete', ticket: 4, result: { kind: 'notManager' } }]);
  });

  test('is silent once closed', () => {
    const node = singleLeader();
    step(node, { kind: 'close' });
    expect(step(node, { kind: 'timer', id: 'election' })).toEqual([]);
  });
});
