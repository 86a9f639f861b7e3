import { describe, expect, test } from 'vitest';
import type { AcceptedState } from './accepted-state.ts';
import { ALL_RULES } from './consensus-rules.ts';
import {
  type ConsensusContext,
  type ConsensusState,
  type ConsensusStep,
  initialDurableState,
  restart,
} from './consensus-state.ts';
import { setInitialConfiguration } from './initial-configuration.ts';
import { countJoin, startJoin } from './join-vote.ts';
import { acceptState, commitState, countPublishVote, proposeState } from './publication-vote.ts';

const CONTEXT: ConsensusContext<string> = { localId: 'n1', rules: ALL_RULES, stamp: (value) => value };
const EMPTY = restart(initialDurableState('empty'));

function done<Output>(step: ConsensusStep<string, Output>): ConsensusState<string> {
  if (step.kind === 'rejected') throw new Error(step.reason);
  return step.state;
}

const configured = done(setInitialConfiguration(CONTEXT, EMPTY, { config: ['n1', 'n2', 'n3'], clusterUuid: 'u' }));
const inTerm5 = done(startJoin(CONTEXT, configured, 'n1', 5));
const vote = (from: string, freshness = { acceptedTerm: 0, acceptedVersion: 0 }) => ({
  from,
  to: 'n1',
  term: 5,
  ...freshness,
});
const elected = done(countJoin(CONTEXT, done(countJoin(CONTEXT, inTerm5, vote('n1'))), vote('n2')));

function proposal(changes: Partial<AcceptedState<string>> = {}): AcceptedState<string> {
  return { ...elected.accepted, term: 5, version: 1, stateUuid: 's1', value: 'one', ...changes };
}

describe('the first voting configuration', () => {
  test('is set once, durably', () => {
    const again = setInitialConfiguration(CONTEXT, configured, { config: ['n1'], clusterUuid: 'v' });
    expect(again).toEqual({ kind: 'rejected', reason: 'a voting configuration is already there' });
    expect(setInitialConfiguration(CONTEXT, EMPTY, { config: ['n1'], clusterUuid: 'v' })).toMatchObject({
      persist: 'accepted',
    });
  });
});

describe('a node asked to enter a term', () => {
  test('above its own makes the term durable before its vote leaves', () => {
    expect(startJoin(CONTEXT, inTerm5, 'n2', 6)).toMatchObject({
      kind: 'accepted',
      persist: 'term',
      output: { from: 'n1', to: 'n2', term: 6, acceptedTerm: 0, acceptedVersion: 0 },
    });
  });

  test.each([5, 4])('it has already entered (%i) refuses: one vote a term', (term) => {
    expect(startJoin(CONTEXT, inTerm5, 'n2', term)).toEqual({
      kind: 'rejected',
      reason: `term ${term} is not above current term 5`,
    });
  });
});

describe('a vote', () => {
  test('of a majority wins the election, once', () => {
    expect(inTerm5.electionWon).toBe(false);
    expect(elected.electionWon).toBe(true);
    expect(countJoin(CONTEXT, elected, vote('n3'))).toMatchObject({ output: { isNewVote: true, wonNow: false } });
  });

  test('of a fresher voter, of another term, for another node, or before a configuration is not counted', () => {
    const fresher = vote('n2', { acceptedTerm: 1, acceptedVersion: 1 });
    for (const join of [fresher, { ...vote('n2'), term: 4 }, { ...vote('n2'), to: 'n3' }]) {
      expect(countJoin(CONTEXT, inTerm5, join).kind).toBe('rejected');
    }
    expect(countJoin(CONTEXT, done(startJoin(CONTEXT, EMPTY, 'n1', 5)), vote('n2')).kind).toBe('rejected');
  });

  test('of a term entered before a restart is not counted', () => {
    const rebooted = restart({ currentTerm: inTerm5.currentTerm, accepted: inTerm5.accepted });
    expect(countJoin(CONTEXT, rebooted, vote('n1'))).toMatchObject({ kind: 'rejected' });
  });
});

describe('a proposal', () => {
  test('needs a won election, the own term, a higher version and the own last proposal accepted', () => {
    expect(proposeState(CONTEXT, inTerm5, proposal()).kind).toBe('rejected');
    expect(proposeState(CONTEXT, elected, proposal({ term: 4 })).kind).toBe('rejected');
    expect(proposeState(CONTEXT, elected, proposal({ version: 0 })).kind).toBe('rejected');
    const proposed = done(proposeState(CONTEXT, elected, proposal()));
    expect(proposeState(CONTEXT, proposed, proposal({ version: 2 })).kind).toBe('rejected');
    const own = done(acceptState(CONTEXT, proposed, proposal()));
    expect(proposeState(CONTEXT, own, proposal({ version: 2 })).kind).toBe('accepted');
  });

  test('of a configuration needs the votes of its majority', () => {
    expect(proposeState(CONTEXT, elected, proposal({ acceptedConfig: ['n3', 'n4', 'n5'] })).kind).toBe('rejected');
    expect(proposeState(CONTEXT, elected, proposal({ acceptedConfig: ['n1', 'n2', 'n4'] })).kind).toBe('accepted');
  });

  test('waits while another configuration is not committed', () => {
    const first = proposal({ acceptedConfig: ['n1'] });
    const own = done(acceptState(CONTEXT, done(proposeState(CONTEXT, elected, first)), first));
    expect(proposeState(CONTEXT, own, { ...first, version: 2, acceptedConfig: ['n2'] })).toEqual({
      kind: 'rejected',
      reason: 'another reconfiguration is not committed yet',
    });
  });

  test('is accepted durably, and only above what was accepted in that term', () => {
    const accepted = acceptState(CONTEXT, inTerm5, proposal());
    expect(accepted).toMatchObject({ persist: 'accepted', output: { term: 5, version: 1 } });
    expect(acceptState(CONTEXT, done(accepted), proposal({ stateUuid: 's2' })).kind).toBe('rejected');
    expect(acceptState(CONTEXT, inTerm5, proposal({ term: 6 })).kind).toBe('rejected');
  });

  test('is committed by majorities of the committed and of the new configuration', () => {
    const next = proposal({ acceptedConfig: ['n1', 'n2', 'n4', 'n5', 'n6'] });
    const joined = ['n4', 'n5'].reduce((state, id) => done(countJoin(CONTEXT, state, vote(id))), elected);
    let state = done(proposeState(CONTEXT, joined, next));
    const outputs = ['n1', 'n4', 'n5', 'n2'].map((from) => {
      const step = countPublishVote(CONTEXT, state, from, { term: 5, version: 1 });
      state = done(step);
      return step.kind === 'accepted' && step.output.committed;
    });
    expect(outputs).toEqual([false, false, false, true]);
  });
});

describe('a commit', () => {
  test('makes configuration and cluster UUID final, durably, once', () => {
    const own = done(acceptState(CONTEXT, inTerm5, proposal({ acceptedConfig: ['n1'] })));
    const step = commitState(CONTEXT, own, { term: 5, version: 1 });
    expect(step).toMatchObject({ persist: 'commit', output: { committedConfig: ['n1'], clusterUuidCommitted: true } });
    expect(commitState(CONTEXT, done(step), { term: 5, version: 1 })).toMatchObject({ persist: null });
  });

  test('of anything but the accepted state is refused', () => {
    const own = done(acceptState(CONTEXT, inTerm5, proposal()));
    expect(commitState(CONTEXT, own, { term: 5, version: 2 }).kind).toBe('rejected');
    expect(commitState(CONTEXT, own, { term: 4, version: 1 }).kind).toBe('rejected');
  });
});
