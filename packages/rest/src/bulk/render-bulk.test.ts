import { BULK_ACTIONS, BulkItems, BulkOutcomes } from '@shoal/coordinator';
import { BytePieces, ShoalError, writeJsonText } from '@shoal/core';
import { answerTree, filterTree } from '@shoal/http';
import { createNodeRuntime, createSilentLog, ItemSlices } from '@shoal/runtime';
import { NO_CONDITIONS, PackedResults, type WriteResult } from '@shoal/shard-api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderWrite, statusOf } from '../documents/render-documents.ts';
import { renderBulk } from './render-bulk.ts';

const { sched } = createNodeRuntime({ log: createSilentLog() });
const extras = {
  routing: null,
  conditions: NO_CONDITIONS,
  requireAlias: false,
  requireDataStream: false,
  sourceFilter: null,
  pipeline: null,
};
const whole = { enabled: true, includes: [], excludes: [] };
const why = new ShoalError('cluster_block_exception', 403, 'blocked');
const error = new ShoalError('mapper_parsing_exception', 400, 'failed', { metadata: { index: 'lib', shard: '0' } });

const result: fc.Arbitrary<WriteResult> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('done' as const),
      result: fc.constantFrom('created', 'updated', 'deleted', 'not_found', 'noop'),
      version: fc.constantFrom(1, 9, 10, 2_147_483_648, 9_007_199_254_740_991),
      seqNo: fc.constantFrom(0, 7, 123_456_789, -2),
      primaryTerm: fc.constantFrom(1, 2),
      source: fc.constantFrom(null, null, null, Buffer.from('{"a":{"b":1.0}}')),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'failed' as const, error }) },
);
const answered = fc.record({
  action: fc.constantFrom(...BULK_ACTIONS),
  index: fc.constantFrom('lib', 'alias'),
  id: fc.constantFrom('1', 'a"b', 'ü', 'long-enough-to-be-an-id'),
  /** null: no shard was asked. */
  result: fc.option(result, { nil: null, freq: 8 }),
  /** What the failure store has to do with it, if it fails. */
  failureStore: fc.constantFrom(null, 'used' as const, 'not_enabled' as const, 'failed' as const),
});
/** The write of what is kept of an item that failed. */
const kept = { action: 'create', index: '.fs-lib', id: 'new', failureStore: null } as const;
const done = { kind: 'done', result: 'created', version: 1, seqNo: 4, primaryTerm: 1, source: null } as const;

function outcomesOf(
  rows: readonly (typeof answered extends fc.Arbitrary<infer T> ? T : never)[],
  isRefreshed: boolean,
) {
  const items = new BulkItems(new BytePieces([Buffer.from('{}')]), extras);
  for (const row of rows) items.add({ ...row, ...extras, sourceFilter: whole }, { piece: 0, start: 0, end: 2 });
  const outcomes = new BulkOutcomes(items, null);
  const asked = [...rows.keys()].filter((at) => rows[at]?.result !== null);
  const results = PackedResults.of(rows.flatMap((row) => row.result ?? []));
  const shards = { total: 2, successful: 1, failed: 0 };
  outcomes.answer(Uint32Array.from(asked), { shard: { index: 'lib', forcedRefresh: isRefreshed }, shards, results });
  for (const [at, row] of rows.entries()) {
    if (row.result === null) outcomes.fail(at, row.index, error);
    if (row.result?.kind === 'done' || row.failureStore === null) continue;
    if (row.failureStore === 'used') outcomes.keep(at, { kind: 'done', ...kept, done, shards, forcedRefresh: false });
    else outcomes.notKept(at, row.failureStore, row.failureStore === 'failed' ? why : null);
  }
  return outcomes;
}

/** The whole answer as objects, filtered as any other answer is. */
function naive(outcomes: BulkOutcomes, filters: readonly string[], withTypes: boolean): unknown {
  const items = Array.from({ length: outcomes.length }, (_, at) => {
    const outcome = outcomes.at(at);
    const status = statusOf(outcome);
    if (outcome.kind === 'done') return { [outcome.action]: { ...renderWrite(outcome, withTypes), status } };
    const { failureStore: store } = outcome;
    const suppressed = store === 'failed' && { suppressed: [{ type: why.type, reason: why.reason }] };
    const shown = { type: error.type, reason: error.reason, ...error.metadata, ...suppressed };
    const document = { _index: outcome.index, ...(withTypes && { _type: '_doc' }), _id: outcome.id };
    return { [outcome.action]: { ...document, status, ...(store !== null && { failure_store: store }), error: shown } };
  });
  const answer = { took: 3, errors: items.some((item) => 'error' in (Object.values(item)[0] ?? {})), items };
  return filterTree(answerTree(answer), filters);
}

const filters = fc.array(
  fc.constantFrom(
    'took',
    'errors',
    'items',
    'items.*',
    'items.*.error',
    'items.*.status',
    'items.index._id',
    'items.*._shards.total',
    '**._seq_no',
    '**.get',
    'items.*.get._source.a',
    'nothing',
    '-took',
    '-items',
    '-items.*._shards',
    '-items.*.*',
    '-items.*.error.type',
    '-**.forced_refresh',
  ),
  { maxLength: 3 },
);

test('the answer is what its items are as objects, under any filters', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(answered, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      filters,
      fc.boolean(),
      async (rows, is, only, withTypes) => {
        const outcomes = outcomesOf(rows, is);
        const bytes = await renderBulk(outcomes, { tookMs: 3, filters: only, withTypes }, new ItemSlices(sched));
        expect(Buffer.from(bytes).toString()).toBe(writeJsonText(naive(outcomes, only, withTypes)));
      },
    ),
    { numRuns: 2_000 },
  );
});
