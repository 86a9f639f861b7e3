/**
 * Term vectors of documents: each from a copy of the shard that holds it, or would.
 */
import { checkBlock } from '@shoal/cluster';
import { asShoalError, assert, isAssertionFailure, isShoalError, ShoalError } from '@shoal/core';
import { TERM_VECTORS } from '@shoal/protocol';
import type { ShardId, TermVectors, TermVectorsRequest } from '@shoal/shard-api';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { READ_TIMEOUT_MS, readFromCopy, shardOfDocument } from './read-document.ts';

export interface TermVectorsInput {
  readonly index: string;
  readonly routing: string | null;
  readonly request: TermVectorsRequest;
}

export type TermVectorsOutcome =
  | {
      readonly kind: 'answered';
      readonly index: string;
      /** null when there is no such document. */
      readonly found: TermVectors | null;
      readonly tookMs: number;
    }
  | { readonly kind: 'failed'; readonly index: string; readonly error: ShoalError };

/** Documents of one request that are asked for at a time: their vectors may be large. */
const CONCURRENT_MAX = 8;

/** One outcome an input, in order. */
export async function executeTermVectors(
  context: CoordinatorContext,
  inputs: readonly TermVectorsInput[],
): Promise<readonly TermVectorsOutcome[]> {
  checkBlock(context.cluster.state(), 'read', []);
  const outcomes = new Array<TermVectorsOutcome>(inputs.length);
  const waiting = inputs.entries();
  const drain = async (): Promise<void> => {
    for (const [at, input] of waiting) outcomes[at] = await vectorsOf(context, input);
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT_MAX, inputs.length) }, drain));
  return outcomes;
}

/** One document; rejects with what `executeTermVectors` puts into its outcome. */
export async function executeOneTermVectors(
  context: CoordinatorContext,
  input: TermVectorsInput,
): Promise<Extract<TermVectorsOutcome, { kind: 'answered' }>> {
  const [outcome] = await executeTermVectors(context, [input]);
  assert(outcome !== undefined, 'term vectors were not answered');
  if (outcome.kind === 'failed') throw outcome.error;
  return outcome;
}

async function vectorsOf(context: CoordinatorContext, input: TermVectorsInput): Promise<TermVectorsOutcome> {
  const { clock } = context.runtime;
  const startMs = clock.monotonicMs();
  const { document } = input.request;
  let { index } = input;
  try {
    const id = document.kind === 'stored' ? document.id : '';
    const shard = shardOfDocument(context, { index, id, routing: input.routing });
    index = shard.index;
    const found = await askShard(context, shard, input.request);
    return { kind: 'answered', index, found, tookMs: Math.floor(clock.monotonicMs() - startMs) };
  } catch (error) {
    if (!isShoalError(error)) throw error;
    const { index: concrete } = error.metadata;
    return { kind: 'failed', index: typeof concrete === 'string' ? concrete : index, error };
  }
}

async function askShard(
  context: CoordinatorContext,
  shard: ShardId,
  request: TermVectorsRequest,
): Promise<TermVectors | null> {
  const { found } = await readFromCopy(context, shard, 'termvectors', ({ nodeId, target }) =>
    context.cluster
      .send(nodeId, TERM_VECTORS, { target, request }, { channel: 'reg', timeoutMs: READ_TIMEOUT_MS })
      .catch(refusedByShard),
  );
  return found;
}

/** What the shard says is wrong with the document or the request is wrapped; what another copy could answer is not. */
function refusedByShard(error: unknown): never {
  if (isAssertionFailure(error)) throw error;
  const cause = asShoalError(error);
  if (!DOCUMENT_ERRORS.has(cause.type)) throw cause;
  const rootCauses = cause.type === 'illegal_argument_exception' ? [] : [cause];
  throw new ShoalError('exception', 500, 'failed to execute term vector request', { causedBy: cause, rootCauses });
}

const DOCUMENT_ERRORS: ReadonlySet<string> = new Set([
  'version_conflict_engine_exception',
  'mapper_parsing_exception',
  'strict_dynamic_mapping_exception',
  'illegal_argument_exception',
]);
