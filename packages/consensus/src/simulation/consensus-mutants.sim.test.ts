/**
 * Each rule of the consensus is needed: taken out, a random schedule or one written by hand breaks an invariant; with it,
 * the same schedule passes. A rule added without a line here fails the last test.
 */
import { describe, expect, test } from 'vitest';
import type { NodeId } from '../steps/accepted-state.ts';
import { ALL_RULES, type ConsensusRules } from '../steps/consensus-rules.ts';
import { fuzzConsensus } from './consensus-fuzz.test-support.ts';
import { ConsensusSchedule } from './consensus-schedule.test-support.ts';

type Rule = keyof ConsensusRules;

/** Rules that random schedules find within a few seeds: the mix that finds it soonest, and how many seeds it may take. */
const FOUND_BY_CHANCE: readonly (readonly [Rule, 'uniform' | 'swarm', number])[] = [
  ['termStrictlyHigher', 'uniform', 10],
  ['startedJoinSinceReboot', 'swarm', 10],
  ['voterFreshness', 'swarm', 60],
  ['publishQuorumInNewConfig', 'uniform', 60],
  ['publishQuorumInCommittedConfig', 'swarm', 300],
  ['joinQuorumForNewConfig', 'uniform', 10],
  ['versionGrowsWithinTerm', 'uniform', 200],
  ['ownProposalAcceptedFirst', 'swarm', 60],
  ['persistTermBeforeJoin', 'swarm', 400],
  ['persistAcceptedBeforeResponse', 'swarm', 30],
];

/** Schedules for rules that chance meets too seldom. Each ends with the step that the rule refuses. */
const WRITTEN: readonly (readonly [Rule, string, (rules: ConsensusRules) => void])[] = [
  ['startedJoinSinceReboot', 'a rebooted leader hears a late copy of its own vote', rebootedLeader],
  [
    'electionQuorumInCommittedConfig',
    'a node that was only proposed as the new voter elects itself',
    voterOnlyProposed,
  ],
  ['electionQuorumInAcceptedConfig', 'the old voter, not told of the commit, elects itself', voterNotTold],
  ['publishQuorumInNewConfig', 'a configuration is committed that nobody in it has', unknownConfig],
  ['oneReconfigurationAtATime', 'a second reconfiguration passes by the voters of the first', twoReconfigurations],
  ['joinQuorumForNewConfig', 'a leader hands over to voters that never voted for it', unvotedConfig],
];

describe('a rule taken out of the consensus', () => {
  test.each(FOUND_BY_CHANCE)('%s: %s schedules show the loss', (rule, kind, seeds) => {
    expect(() => {
      for (let seed = 1; seed <= seeds; seed++) fuzzConsensus(seed, kind, { ...ALL_RULES, [rule]: false });
    }).toThrow(/ConsensusViolation|term|committed|published|election/);
  });

  test.each(WRITTEN)('%s: %s', (rule, _story, run) => {
    expect(() => run(ALL_RULES)).not.toThrow();
    expect(() => run({ ...ALL_RULES, [rule]: false })).toThrow(/committed|published|election|two leaders/);
  });

  test('is missed by at least one of the lists above', () => {
    const covered = new Set([...FOUND_BY_CHANCE, ...WRITTEN].map(([rule]) => rule));
    expect([...covered].sort()).toEqual(Object.keys(ALL_RULES).sort());
  });
});

/** Elects a node with these votes. */
function elect(schedule: ConsensusSchedule, candidate: NodeId, term: number, voters: readonly NodeId[]): void {
  schedule.stand(candidate, term, voters);
  for (const voter of voters) schedule.pass('startJoin', candidate, voter);
  for (const voter of voters) schedule.pass('join', voter, candidate);
}

/** These nodes accept the leader's last proposal, and it counts them. */
function accept(schedule: ConsensusSchedule, leader: NodeId, nodes: readonly NodeId[]): void {
  for (const node of nodes) schedule.pass('publish', leader, node);
  for (const node of nodes) schedule.pass('accepted', node, leader);
}

function rebootedLeader(rules: ConsensusRules): void {
  const schedule = new ConsensusSchedule(['n1'], ['n1'], rules);
  schedule.stand('n1', 1);
  schedule.pass('startJoin', 'n1', 'n1');
  const vote = schedule.pool.at(-1)!;
  schedule.deliver(vote);
  schedule.propose('n1');
  schedule.crash('n1');
  schedule.deliver(vote);
  expect(schedule.propose('n1')).toBe(false);
}

function voterOnlyProposed(rules: ConsensusRules): void {
  const schedule = new ConsensusSchedule(['n1', 'n2'], ['n1'], rules);
  elect(schedule, 'n1', 1, ['n1', 'n2']);
  schedule.propose('n1', ['n2']);
  schedule.pass('publish', 'n1', 'n2');
  schedule.crash('n1');
  schedule.pool.length = 0;
  elect(schedule, 'n1', 2, ['n1']);
  schedule.propose('n1');
  accept(schedule, 'n1', ['n1']);
  elect(schedule, 'n2', 3, ['n2']);
  expect(schedule.propose('n2')).toBe(false);
}

function voterNotTold(rules: ConsensusRules): void {
  const schedule = new ConsensusSchedule(['n1', 'n2'], ['n1'], rules);
  elect(schedule, 'n1', 1, ['n1', 'n2']);
  schedule.propose('n1', ['n2']);
  accept(schedule, 'n1', ['n1', 'n2']);
  schedule.pass('commit', 'n1', 'n2');
  elect(schedule, 'n2', 2, ['n2']);
  elect(schedule, 'n1', 2, ['n1']);
}

function unknownConfig(rules: ConsensusRules): void {
  const schedule = new ConsensusSchedule(['n1', 'n2'], ['n1'], rules);
  elect(schedule, 'n1', 1, ['n1', 'n2']);
  schedule.propose('n1', ['n2']);
  accept(schedule, 'n1', ['n1']);
  expect(schedule.checker.commitCount).toBe(0);
}

function twoReconfigurations(rules: ConsensusRules): void {
  const schedule = new ConsensusSchedule(['n1', 'n2', 'n3'], ['n1'], rules);
  elect(schedule, 'n1', 1, ['n1', 'n2']);
  schedule.propose('n1', ['n2']);
  accept(schedule, 'n1', ['n1', 'n2']);
  schedule.pass('commit', 'n1', 'n2');
  schedule.pool.length = 0;
  // The leader crashes before it hears of its own commit, and is elected again.
  schedule.crash('n1');
  elect(schedule, 'n1', 2, ['n1', 'n2', 'n3']);
  if (!schedule.propose('n1', ['n3'])) return;
  accept(schedule, 'n1', ['n1', 'n3']);
  elect(schedule, 'n2', 3, ['n2']);
  schedule.propose('n2');
}

function unvotedConfig(rules: ConsensusRules): void {
  const schedule = new ConsensusSchedule(['n1', 'n2'], ['n1'], rules);
  elect(schedule, 'n1', 1, ['n1']);
  if (!schedule.propose('n1', ['n2'])) return;
  accept(schedule, 'n1', ['n1']);
}
