import { ShoalError } from '@shoal/core';
import { joinShardAnswers, NODE_QUERY, QUERY_PHASE, type QueryPhaseResponse } from '@shoal/protocol';
import type { WireBody } from '@shoal/transport';
import { describe, expect, test } from 'vitest';
import { type AnsweredShard, NodeAnswer } from './node-answer.ts';

const MEBIBYTE = 1024 * 1024;

function answerOf(position: number, aggregationBytes: number): QueryPhaseResponse {
  return {
    result: {
      contextId: position,
      total: null,
      maxScore: null,
      columns: [],
      scores: null,
      ords: new Uint32Array(0),
      groups: null,
      aggregations: new Uint8Array(aggregationBytes),
      profile: null,
      timedOut: false,
      terminatedEarly: false,
      isSkipped: false,
    },
    hits: null,
  };
}

function shardOf(position: number, bytes: number, discarded: number[]): AnsweredShard {
  const body: WireBody = QUERY_PHASE.writeResponse(answerOf(position, bytes));
  return {
    body,
    discard: async () => {
      discarded.push(position);
    },
  };
}

function contextsOf(answer: NodeAnswer): (number | null | string)[] {
  const { answers } = NODE_QUERY.readResponse(joinShardAnswers(answer.answers));
  return answers.map((one) => {
    if (one === null) return null;
    return one instanceof ShoalError ? one.type : one.result.contextId;
  });
}

describe('the answer of a node for several shards', () => {
  test('has them in the order asked for, whichever answered first, and a failure beside the others', async () => {
    const answer = new NodeAnswer(4);
    const release: (() => void)[] = [];
    const filled = answer.fill(4, async (position) => {
      if (position === 0) await new Promise<void>((resolve) => release.push(resolve));
      if (position === 2) return new ShoalError('x_exception', 500, 'why');
      if (position === 3) release[0]?.();
      return shardOf(position, 8, []);
    });
    await filled;
    expect(contextsOf(answer)).toEqual([0, 1, 'x_exception', 3]);
  });

  test('leaves out what has no room beside the others, and lets go of it', async () => {
    const discarded: number[] = [];
    const answer = new NodeAnswer(6);
    await answer.fill(2, async (position) => shardOf(position, 7 * MEBIBYTE, discarded));
    const contexts = contextsOf(answer);
    expect(contexts.filter((one) => one !== null)).toEqual([0, 1]);
    // Those behind the one that had no room were not run.
    expect(discarded.length).toBeLessThanOrEqual(2);
    expect(discarded).not.toContain(5);
  });

  test('has one shard at least, however large', async () => {
    const answer = new NodeAnswer(2);
    await answer.fill(1, async (position) => shardOf(position, 20 * MEBIBYTE, []));
    expect(contextsOf(answer)).toEqual([0, null]);
  });

  test('runs no more shards at a time than asked for', async () => {
    let running = 0;
    let most = 0;
    const answer = new NodeAnswer(20);
    await answer.fill(3, async (position) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      return shardOf(position, 0, []);
    });
    expect(most).toBe(3);
    expect(contextsOf(answer)).toHaveLength(20);
  });
});
