import { isMalformedMessage } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { exampleNode } from '../../../cluster-state/src/state/cluster-state.test-support.ts';
import { JOIN, PUBLISH_STATE, REQUEST_PEERS } from '../coordination/coordination-actions.ts';
import { SHARD_FAILED } from './shard-state-actions.ts';

describe('messages to the cluster manager', () => {
  test.each([{ shard: -1 }, { shard: 1.5 }, { allocationId: 7 }, { primaryTerm: 2 ** 60 }, { reason: null }])(
    'with %j are refused',
    (wrong) => {
      const good = { index: 'a', shard: 0, allocationId: 'x', primaryTerm: 1, markStale: false, reason: 'r' };
      const body = { message: { ...good, ...wrong } };
      expect(() => SHARD_FAILED.readRequest(body)).toThrow(expect.toSatisfy(isMalformedMessage));
    },
  );
});

describe('messages between coordinators', () => {
  test('come back as they were written', () => {
    const join = {
      join: { from: 'a', to: 'b', term: 3, acceptedTerm: 2, acceptedVersion: 9 },
      minimumTerm: 3,
      committedClusterUuid: null,
    };
    expect(JOIN.readRequest(JOIN.writeRequest(join))).toEqual(join);
    const peers = { knownPeers: [exampleNode('a')], leader: exampleNode('b'), term: 4 };
    expect(REQUEST_PEERS.readResponse(REQUEST_PEERS.writeResponse(peers))).toEqual(peers);
  });

  test('a publication without its state is refused', () => {
    expect(() => PUBLISH_STATE.readRequest({ message: { form: 'full' } })).toThrow(
      expect.toSatisfy(isMalformedMessage),
    );
  });
});
