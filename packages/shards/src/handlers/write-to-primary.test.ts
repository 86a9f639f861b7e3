import type { ClusterBlock } from '@shoal/cluster-state';
import { ShoalError } from '@shoal/core';
import type { ClusterService } from '@shoal/membership';
import { BULK_RESULTS } from '@shoal/protocol';
import { PackedOperations, PackedResults, packOperations, type WriteOperation } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import { packBody } from '../calls/packed-body.ts';
import type { WorkerCalls, WriteAnswer } from '../calls/worker-calls.ts';
import { clusterState, indexMetadata } from '../supervisor/cluster-states.test-support.ts';
import { LocalShard } from '../supervisor/local-shard.ts';
import type { WorkerThread } from '../worker/worker-thread.ts';
import { writeToPrimary } from './write-to-primary.ts';

const operation = (id: string): WriteOperation => ({
  kind: 'index',
  opType: 'index',
  id,
  routing: null,
  isAutoId: false,
  source: new Uint8Array(2),
  conditions: { ifSeqNo: null, ifPrimaryTerm: null, version: null, versionType: 'internal' },
});

/** An engine that wants the field of each operation (its id) in the mapping before it indexes it. */
class FieldEngine {
  readonly fields = new Set<string>();
  readonly written: string[] = [];

  write({ operations, from }: WorkerCalls['write']['args']): WriteAnswer {
    const results = new PackedResults();
    const remaining = [...PackedOperations.read(operations)].slice(from);
    for (const { id } of remaining) {
      if (!this.fields.has(id)) {
        const missing = remaining.slice(results.length).map((next) => next.id);
        const mappingUpdate = { properties: Object.fromEntries(missing.map((name) => [name, {}])) };
        return { results: packBody(BULK_RESULTS.write(results)), mappingUpdate, operations, successful: 1, failed: [] };
      }
      this.written.push(id);
      results.push({
        kind: 'done',
        result: 'created',
        version: 1,
        seqNo: this.written.length,
        primaryTerm: 1,
        source: null,
      });
    }
    return {
      results: packBody(BULK_RESULTS.write(results)),
      mappingUpdate: null,
      operations: null,
      successful: 1,
      failed: [],
    };
  }
}

interface Setup {
  /** What the cluster manager makes of an update; may throw. */
  readonly putMapping: (fields: readonly string[], engine: FieldEngine) => void;
  /** Fields that the state has although this request's update was refused. */
  readonly settledElsewhere?: () => readonly string[];
  /** The state of the primary's node refuses writes to the index. */
  readonly isBlocked?: () => boolean;
}

const WRITE_BLOCK: ClusterBlock = { id: 8, description: 'index write (api)', status: 403, levels: ['write'] };

function write(ids: readonly string[], setup: Setup) {
  const engine = new FieldEngine();
  let mappingVersion = 1;
  let updates = 0;
  const worker = {
    write: async (args: WorkerCalls['write']['args']) => engine.write(args),
  } as unknown as WorkerThread;
  const cluster = {
    state: () => {
      const state = clusterState({ indices: [indexMetadata({ mappingVersion })] });
      const blocks = setup.isBlocked?.() === true ? [WRITE_BLOCK] : [];
      return { ...state, blocks: { global: [], indices: new Map([['books', blocks]]) } };
    },
    admin: {
      putMapping: async ({ mapping }: { readonly mapping: Readonly<Record<string, unknown>> }) => {
        updates++;
        if (setup.settledElsewhere) mappingVersion++;
        setup.putMapping(Object.keys(mapping.properties as object), engine);
        mappingVersion++;
        return { acknowledged: true };
      },
    },
  } as unknown as ClusterService;
  const shard = new LocalShard({
    key: 'k',
    metadata: indexMetadata(),
    shard: 0,
    allocationId: 'a',
    primaryTerm: 1,
    isPrimary: true,
  });
  const answer = writeToPrimary(packOperations(ids.map(operation)), {
    cluster,
    shard,
    worker,
    claim: { allocationId: 'a1', primaryTerm: 1 },
    activeCopiesMin: 1,
    refreshMetadata: async () => {
      for (const field of setup.settledElsewhere?.() ?? []) engine.fields.add(field);
    },
    mappingTimeoutMs: 1000,
  });
  return { results: answer.then(({ results }) => results), engine, updates: () => updates };
}

const accept: Setup['putMapping'] = (fields, engine) => {
  for (const field of fields) engine.fields.add(field);
};

describe('writes to an index that its primary knows to be blocked', () => {
  const refused = { status: 403, type: 'cluster_block_exception' };

  test('are refused, whatever their sender has seen', async () => {
    const run = write(['a'], { putMapping: accept, isBlocked: () => true });
    await expect(run.results).rejects.toMatchObject(refused);
    expect(run.engine.written).toEqual([]);
  });

  test('are refused each that comes behind the block; those before it are done', async () => {
    let hasField = false;
    const run = write(['a', 'b'], {
      putMapping: (_, engine) => {
        if (engine.fields.has('a')) hasField = true;
        engine.fields.add('a');
      },
      isBlocked: () => hasField,
    });
    expect([...(await run.results)]).toMatchObject([{ kind: 'done' }, { kind: 'failed', error: refused }]);
    expect(run.engine.written).toEqual(['a']);
  });
});

describe('writes that need new fields', () => {
  test('wait for the cluster manager once, for all of them, and keep their order', async () => {
    const run = write(['a', 'b', 'c'], { putMapping: accept });
    expect((await run.results).map((result) => result.kind)).toEqual(['done', 'done', 'done']);
    expect(run.engine.written).toEqual(['a', 'b', 'c']);
    expect(run.updates()).toBe(1);
  });

  test('fail alone when the manager refuses their field; the others are written', async () => {
    const run = write(['a', 'bad', 'c'], {
      putMapping: (fields, engine) => {
        if (fields[0] === 'bad') throw new ShoalError('illegal_argument_exception', 400, 'no');
        accept(fields[0] === 'a' ? ['a'] : fields, engine);
      },
    });
    const results = await run.results;
    expect(results.map((result) => result.kind)).toEqual(['done', 'failed', 'done']);
    expect(run.engine.written).toEqual(['a', 'c']);
  });

  test('go on when another request settled the field meanwhile', async () => {
    const run = write(['a'], {
      putMapping: () => {
        throw new ShoalError('illegal_argument_exception', 400, 'mapper [a] cannot be changed');
      },
      settledElsewhere: () => ['a'],
    });
    expect((await run.results).map((result) => result.kind)).toEqual(['done']);
  });

  test('all fail when no cluster manager answers; each says so', async () => {
    const run = write(['a', 'b'], {
      putMapping: () => {
        throw new ShoalError('master_not_discovered_exception', 503, null);
      },
    });
    const results = await run.results;
    expect(results.map((result) => result.kind === 'failed' && result.error.status)).toEqual([503, 503]);
  });

  test('end when the manager says yes and the field never comes', async () => {
    const run = write(['a', 'b'], { putMapping: () => undefined });
    expect((await run.results).map((result) => result.kind)).toEqual(['failed', 'failed']);
  });
});
