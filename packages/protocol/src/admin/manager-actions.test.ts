import { isMalformedMessage } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { JOIN, PUBLISH_STATE, REQUEST_PEERS } from '../coordination/coordination-actions.ts';
import { exampleNode } from '../state/cluster-state.test-support.ts';
import { UPDATE_ALIASES, type UpdateAliasesMessage } from './alias-action.ts';
import { CREATE_INDEX, type CreateIndexMessage, EXPLAIN_ALLOCATION } from './manager-actions.ts';
import { SHARD_FAILED } from './shard-state-actions.ts';

const timeouts = { masterTimeoutMs: 30_000, timeoutMs: 30_000 };

describe('messages to the cluster manager', () => {
  test('come back as they were written', () => {
    const create: CreateIndexMessage = {
      ...timeouts,
      index: 'lib',
      settings: { number_of_shards: 3 },
      mappings: { properties: { title: { type: 'text' } } },
      aliases: {},
      waitForActiveShards: 'all',
    };
    expect(CREATE_INDEX.readRequest(CREATE_INDEX.writeRequest(create))).toEqual(create);
    const resized: CreateIndexMessage = { ...create, resize: { kind: 'split', source: 'src' } };
    expect(CREATE_INDEX.readRequest(CREATE_INDEX.writeRequest(resized))).toEqual(resized);
    const aliases: UpdateAliasesMessage = {
      ...timeouts,
      actions: [
        { kind: 'remove', index: 'a', alias: 'x', mustExist: true },
        {
          kind: 'add',
          index: 'b',
          alias: 'x',
          filter: { term: { n: 1 } },
          indexRouting: null,
          searchRouting: null,
          isWriteIndex: true,
          isHidden: null,
        },
      ],
    };
    expect(UPDATE_ALIASES.readRequest(UPDATE_ALIASES.writeRequest(aliases))).toEqual(aliases);
    const explain = { shard: null, includeYesDecisions: false, masterTimeoutMs: 1 };
    expect(EXPLAIN_ALLOCATION.readRequest(EXPLAIN_ALLOCATION.writeRequest(explain))).toEqual(explain);
  });

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
