/**
 * Peers that say anything: whatever they name, the node goes on, counts no vote that its voter did not send, and can still
 * enter a next term.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CoordinationCore, CoordinationEffect, CoordinationEvent } from '../effects/coordination-events.ts';
import { DEFAULT_COORDINATION_SETTINGS } from '../effects/coordination-settings.ts';
import { SIM_MODEL, type SimValue, simNode } from '../simulation/sim-value.test-support.ts';
import type { AcceptedState, DurableState } from '../steps/accepted-state.ts';
import type { CoordRequest, CoordResponse } from '../steps/coord-message.ts';
import { TERM_JUMP_MAX, TERM_MAX } from '../steps/term-reach.ts';
import { createCoordination } from './coordination-core.ts';

type Effect = CoordinationEffect<SimValue>;
type Event = CoordinationEvent<SimValue>;

const ROLES = ['cluster_manager', 'data'] as const;
const LOCAL = simNode('n1', 1, [...ROLES]);
const MEMBERS = [LOCAL, simNode('n2', 1, [...ROLES]), simNode('n3', 1, [...ROLES])];
const [, N2, N3] = MEMBERS as [typeof LOCAL, typeof LOCAL, typeof LOCAL];
const STRANGER = simNode('x', 1, [...ROLES]);
const DATA_NODE = simNode('d', 1, ['data']);
const TERM = 7;

function stateOf(term: number, version: number): AcceptedState<SimValue> {
  const config = MEMBERS.map(({ id }) => id);
  const nodes = new Map(MEMBERS.map((node) => [node.id, node]));
  return {
    term,
    version,
    stateUuid: `${term}/${version}`,
    clusterUuid: 'cluster',
    clusterUuidCommitted: true,
    acceptedConfig: config,
    committedConfig: config,
    value: { nodes, excluded: new Set(), manager: null, writes: [], header: null },
  };
}

function member(durable: DurableState<SimValue> = { currentTerm: TERM, accepted: stateOf(TERM, 40) }) {
  const settings = DEFAULT_COORDINATION_SETTINGS;
  const node = createCoordination({ local: LOCAL, settings, bootstrap: { kind: 'none' }, model: SIM_MODEL, durable });
  step(node, { kind: 'start' });
  return node;
}

/** Steps, and answers every `apply` at once. */
function step(node: CoordinationCore<SimValue>, event: Event): Effect[] {
  const effects = [...node.step(event)];
  for (const effect of effects) {
    if (effect.kind === 'apply') effects.push(...node.step({ kind: 'applied', ticket: effect.ticket, failure: null }));
  }
  return effects;
}

function ask(
  node: CoordinationCore<SimValue>,
  from: typeof LOCAL,
  request: CoordRequest<SimValue>,
  replyTo = 1,
): Effect[] {
  return step(node, { kind: 'request', from, replyTo, request });
}

function refusals(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => (effect.kind === 'refuse' ? [effect.reason] : []));
}

const LAST = Number.MAX_SAFE_INTEGER;
const vote = (from: string, term: number) => ({ from, to: 'n1', term, acceptedTerm: 0, acceptedVersion: 0 });

describe('a term near the end of numbers', () => {
  test.each<[string, CoordRequest<SimValue>]>([
    ['a pre-vote', { kind: 'preVote', currentTerm: LAST }],
    ['a call for votes', { kind: 'startJoin', term: LAST, candidate: N2 }],
    ['a wish to join', { kind: 'join', join: null, minimumTerm: LAST, committedClusterUuid: null }],
    ['a vote', { kind: 'join', join: vote('n2', LAST), minimumTerm: 0, committedClusterUuid: null }],
    ['a check', { kind: 'followerCheck', term: LAST }],
    ['a publication', { kind: 'publish', state: stateOf(LAST, 41) }],
  ])('in %s of a member is not believed, and the next election goes on', (_name, request) => {
    const node = member();
    ask(node, N2, request);
    expect(node.snapshot().term).toBe(TERM);
    expect(refusals(ask(node, N2, { kind: 'startJoin', term: TERM + 1, candidate: N2 }))).toEqual([]);
    expect(node.snapshot().term).toBe(TERM + 1);
  });

  test('on the own disk is told with what mends it', () => {
    const node = member({ currentTerm: LAST, accepted: stateOf(TERM, 40) });
    expect(node.snapshot().missing).toContain('[shoal node reset-term]');
    expect(refusals(ask(node, N2, { kind: 'startJoin', term: LAST, candidate: N2 }))).toHaveLength(1);
    expect(node.mode).toBe('candidate');
  });

  test('stops at the highest term, and never at a number that is no integer', () => {
    const node = member({ currentTerm: TERM_MAX, accepted: stateOf(TERM, 40) });
    expect(refusals(ask(node, N2, { kind: 'startJoin', term: TERM_MAX + 1, candidate: N2 }))).toHaveLength(1);
    expect(node.snapshot().term).toBe(TERM_MAX);
  });
});

describe('a node of the cluster', () => {
  test('comes back with a term that moved ahead while it was alone', () => {
    const node = member();
    const join = { kind: 'join', join: null, minimumTerm: TERM + 5_000, committedClusterUuid: 'cluster' } as const;
    expect(refusals(ask(node, N2, join))).toEqual([]);
    expect(refusals(ask(node, N2, { kind: 'startJoin', term: TERM + 5_001, candidate: N2 }, 2))).toEqual([]);
    expect(node.snapshot().term).toBe(TERM + 5_001);
  });

  test('asks for votes for itself, or hands over when it leads', () => {
    const node = member();
    const other = { kind: 'startJoin', term: TERM + 1, candidate: N3 } as const;
    expect(refusals(ask(node, N2, other))).toEqual(['[n2] asks for votes for [n3] and does not lead']);
    ask(node, N2, { kind: 'publish', state: stateOf(TERM, 41) });
    expect(node.mode).toBe('follower');
    expect(refusals(ask(node, N2, other))).toEqual([]);
    expect(node.snapshot().term).toBe(TERM + 1);
  });

  test('is not led or disturbed by a stranger, whose pre-vote is answered', () => {
    const node = member();
    expect(refusals(ask(node, STRANGER, { kind: 'startJoin', term: TERM + 1, candidate: STRANGER }))).toHaveLength(1);
    expect(refusals(ask(node, STRANGER, { kind: 'followerCheck', term: TERM + 1 }))).toHaveLength(1);
    expect(refusals(ask(node, STRANGER, { kind: 'publish', state: stateOf(TERM + 1, 41) }))).toHaveLength(1);
    expect(ask(node, STRANGER, { kind: 'preVote', currentTerm: TERM + 9 })).toMatchObject([{ kind: 'reply' }]);
    expect([node.snapshot().term, node.mode]).toEqual([TERM, 'candidate']);
    const dataNode = ask(node, DATA_NODE, { kind: 'preVote', currentTerm: TERM });
    expect(refusals(dataNode)).toEqual(['[d] cannot be cluster manager']);
  });

  test('knows a node that it has found by itself', () => {
    const node = member();
    step(node, { kind: 'peerFound', node: STRANGER });
    expect(refusals(ask(node, STRANGER, { kind: 'startJoin', term: TERM + 1, candidate: STRANGER }))).toEqual([]);
  });

  test('counts no vote that another sends for its voter', () => {
    const node = member();
    const steal = { kind: 'join', join: vote('n2', TERM + 1), minimumTerm: 0, committedClusterUuid: null } as const;
    expect(refusals(ask(node, STRANGER, steal))).toEqual(['vote of [n2] sent by [x]']);
    expect(node.mode).toBe('candidate');
    ask(node, N2, steal);
    expect(node.mode).toBe('leader');
  });
});

const term = fc.oneof(
  fc.constantFrom(0, 1, TERM, TERM + 1, TERM + 2, TERM + TERM_JUMP_MAX, TERM + TERM_JUMP_MAX + 1),
  fc.constantFrom(TERM_MAX - 1, TERM_MAX, TERM_MAX + 1, LAST - 1, LAST),
);
const peer = fc.constantFrom(N2, N3, STRANGER, DATA_NODE);
const anyVote = fc.record({
  from: fc.constantFrom('n1', 'n2', 'n3', 'x'),
  to: fc.constantFrom('n1', 'n1', 'n2'),
  term,
  acceptedTerm: term,
  acceptedVersion: fc.constantFrom(0, 40, 41, LAST),
});
const optionalVote = fc.option(anyVote);
const anyState = fc.tuple(term, fc.constantFrom(1, 40, 41, 42, LAST)).map(([at, version]) => stateOf(at, version));
const uuid = fc.constantFrom(null, 'cluster', 'foreign');
const anyRequest: fc.Arbitrary<CoordRequest<SimValue>> = fc.oneof(
  fc.record({ kind: fc.constant('requestPeers' as const), knownPeers: fc.array(peer, { maxLength: 2 }) }),
  fc.record({ kind: fc.constant('preVote' as const), currentTerm: term }),
  fc.record({ kind: fc.constant('startJoin' as const), term, candidate: peer }),
  fc.record({ kind: fc.constant('join' as const), join: optionalVote, minimumTerm: term, committedClusterUuid: uuid }),
  fc.record({ kind: fc.constant('joinValidate' as const), state: anyState }),
  fc.record({ kind: fc.constant('publish' as const), state: anyState }),
  fc.record({ kind: fc.constant('applyCommit' as const), term, version: fc.constantFrom(40, 41, LAST) }),
  fc.record({ kind: fc.constant('followerCheck' as const), term }),
  fc.constant({ kind: 'leaderCheck' as const }),
);
const anyResponse: fc.Arbitrary<CoordResponse> = fc.oneof(
  fc.constant({ kind: 'ack' as const }),
  fc.record({
    kind: fc.constant('peers' as const),
    leader: fc.option(peer),
    knownPeers: fc.array(peer, { maxLength: 2 }),
    term,
  }),
  fc.record({
    kind: fc.constant('preVote' as const),
    currentTerm: term,
    acceptedTerm: term,
    acceptedVersion: fc.constantFrom(0, 40, LAST),
  }),
  fc.record({
    kind: fc.constant('publish' as const),
    term,
    version: fc.constantFrom(40, 41, LAST),
    join: optionalVote,
  }),
);
type Move =
  | { readonly kind: 'ask'; readonly from: typeof LOCAL; readonly request: CoordRequest<SimValue> }
  | { readonly kind: 'answer'; readonly at: number; readonly response: CoordResponse }
  | { readonly kind: 'found'; readonly node: typeof LOCAL }
  | { readonly kind: 'election' };
const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('ask' as const), from: peer, request: anyRequest }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('answer' as const), at: fc.nat(), response: anyResponse }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('found' as const), node: peer }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'election' as const }) },
  ),
  { maxLength: 40 },
);

describe('whatever peers send', () => {
  test('a node keeps its invariants, moves its term by bounded steps, and can enter a next one', () => {
    fc.assert(
      fc.property(moves, (chosen) => {
        const node = member();
        const open: number[] = [];
        let replyTo = 0;
        for (const move of chosen) {
          const before = node.snapshot().term;
          for (const effect of play(node, move, open, ++replyTo))
            if (effect.kind === 'send') open.push(effect.requestId);
          expect(node.snapshot().term - before).toBeLessThanOrEqual(TERM_JUMP_MAX);
        }
        const { term: last } = node.snapshot();
        expect(last).toBeLessThan(TERM_MAX / 2);
        ask(node, N2, { kind: 'startJoin', term: last + 1, candidate: N2 }, ++replyTo);
        expect(node.snapshot().term).toBe(last + 1);
      }),
      { numRuns: 500 },
    );
  });

  test('a stranger alone never makes it a leader', () => {
    const lies = fc.array(fc.record({ request: anyRequest }), { maxLength: 30 });
    fc.assert(
      fc.property(lies, (chosen) => {
        const node = member();
        for (const [i, { request }] of chosen.entries()) ask(node, STRANGER, request, i + 1);
        expect([node.mode, node.snapshot().term <= TERM + 30 * TERM_JUMP_MAX]).toEqual(['candidate', true]);
      }),
      { numRuns: 300 },
    );
  });
});

function play(node: CoordinationCore<SimValue>, move: Move, open: number[], replyTo: number): Effect[] {
  switch (move.kind) {
    case 'ask':
      return ask(node, move.from, move.request, replyTo);
    case 'answer': {
      const [requestId] = open.splice(move.at % Math.max(1, open.length), 1);
      return requestId === undefined ? [] : step(node, { kind: 'response', requestId, response: move.response });
    }
    case 'found':
      return step(node, { kind: 'peerFound', node: move.node });
    default:
      return step(node, { kind: 'timer', id: 'election' });
  }
}
