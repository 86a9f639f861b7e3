import { PEER_FAILURES } from '@shoal/protocol';
import { describe, expect, test } from 'vitest';
import { commandOf } from '../mends/mend.ts';
import { type MembershipView, membershipFindings, type Voter } from './membership-findings.ts';

const voter = (id: string, isFound: boolean): Voter => ({ id, name: `data-${id}`, address: `h${id}:9300`, isFound });

const VIEW: MembershipView = {
  clusterName: 'c',
  version: '0.1.0',
  members: [],
  hasManager: true,
  missing: null,
  voters: [],
  failedDials: [],
  refused: [],
};

const refusedBy = (failure: (typeof PEER_FAILURES)[number], isIncoming = true) => ({
  nodeId: 'n',
  name: 'data-9',
  address: 'h9:9300',
  failure,
  reason: 'the reason',
  isIncoming,
  times: 2,
  lastMs: 0,
});

describe('a node that cannot join', () => {
  test.each(PEER_FAILURES)('for %s is named, with the reason and a command', (failure) => {
    const [finding, ...others] = membershipFindings({ ...VIEW, refused: [refusedBy(failure)] });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ cause: 'node_refused', status: 'yellow' });
    expect(finding?.reason).toMatch(/^The node \[data-9\] at \[h9:9300\] .+: the reason$/);
    expect(finding?.mends.map(commandOf)).toEqual([expect.stringMatching(/^(shoal|npm) /)]);
  });

  test('is no news once it is in the cluster, unless another one is at that address', () => {
    const refused = [refusedBy('version')];
    const inCluster = (id: string) => membershipFindings({ ...VIEW, refused, members: [{ id, address: 'h9:9300' }] });
    expect(inCluster('n')).toEqual([]);
    expect(inCluster('m')).toHaveLength(1);
  });
});

describe('without a cluster manager', () => {
  const alone = { ...VIEW, hasManager: false };

  test('a lost quorum names who is missing, and where each was looked for', () => {
    const voters = [voter('1', true), voter('2', false), voter('3', false)];
    const failedDials = [{ address: 'h2:9300', failure: 'refused', reason: 'ECONNREFUSED' }] as const;
    const [first, second] = membershipFindings({ ...alone, voters, failedDials });
    expect(first).toMatchObject({
      cause: 'no_quorum',
      status: 'red',
      reason:
        'No cluster manager can be elected: 2 of the 3 voting nodes must reach each other, and this node reaches 1; missing: [data-2 at h2:9300] and [data-3 at h3:9300]',
      mends: [
        { kind: 'startNode', node: { id: '2', name: null } },
        { kind: 'startNode', node: { id: '3', name: null } },
      ],
    });
    expect(second?.reason).toBe(
      'The node [data-2] at [h2:9300] refuses connections: nothing listens there: ECONNREFUSED',
    );
  });

  test('a quorum that is there is waited for', () => {
    const [first] = membershipFindings({ ...alone, voters: [voter('1', true), voter('2', true), voter('3', false)] });
    expect(first).toMatchObject({ cause: 'no_cluster_manager', mends: [{ kind: 'wait' }] });
  });

  test('a node that was in no cluster says what it waits for', () => {
    const [first] = membershipFindings({ ...alone, missing: 'it waits for [a, b]' });
    expect(first).toMatchObject({ cause: 'no_cluster', reason: expect.stringContaining('it waits for [a, b]') });
  });
});
