/**
 * Mends the term on the disk of a node that does not run: one so high that no election can follow it, or one so far behind
 * the cluster's that it is not believed there.
 *
 * A lower term lets the node vote again in terms that it voted in already. Nothing is lost by that as long as no node
 * remembers those votes, so all nodes that may vote are stopped, and all of them are mended before one starts.
 */
import { emptyClusterState, headerOf } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import { type DurableState, initialDurableState, TERM_MAX } from '@shoal/consensus';
import { ShoalError } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import { CoordinationLog } from './coordination-log.ts';
import { openDataPath } from './node-data-path.ts';

export interface ResetTermOptions {
  /** Term that the node gets; null: that of its last accepted state. */
  readonly term: number | null;
  /** Term that the last accepted state gets, where its own is too high itself; null: it keeps its own. */
  readonly acceptedTerm: number | null;
}

/** Numbers on the disk of one node. */
export interface NodeTerms {
  readonly nodeId: string;
  readonly term: number;
  readonly acceptedTerm: number;
  readonly acceptedVersion: number;
}

export interface MendedTerms {
  readonly before: NodeTerms;
  readonly after: NodeTerms;
}

/** @throws illegal_argument_exception for terms that would contradict the state; illegal_state_exception while the node runs */
export async function resetTerm(runtime: Runtime, path: string, options: ResetTermOptions): Promise<MendedTerms> {
  if (!(await runtime.disk.exists(`${path}/_state`)))
    throw illegal(`[${path}] is no data path of a node: it has no [_state]`);
  const dataPath = await openDataPath(runtime, path);
  try {
    const empty = initialDurableState(emptyClusterState(''));
    const { log, durable } = await CoordinationLog.open(runtime.disk, dataPath.stateFolder, empty, runtime);
    try {
      if (durable === empty) throw illegal(`[${path}] holds no cluster state`);
      const mended = mendedState(durable, options);
      await log.rewrite(mended);
      return { before: termsOf(dataPath.nodeId, durable), after: termsOf(dataPath.nodeId, mended) };
    } finally {
      await log.close();
    }
  } finally {
    await dataPath.release();
  }
}

function mendedState(durable: DurableState<ClusterState>, options: ResetTermOptions): DurableState<ClusterState> {
  const { accepted } = durable;
  if (options.acceptedTerm === null && accepted.term > TERM_MAX) {
    throw illegal(
      `the last accepted state has version [${accepted.version}] of term [${accepted.term}], which no election can follow: give ` +
        'its term with [--accepted-term], the same for all nodes that show this term, and a higher one for nodes that show a higher one',
    );
  }
  const acceptedTerm = options.acceptedTerm ?? accepted.term;
  const term = options.term ?? acceptedTerm;
  if (term < acceptedTerm)
    throw illegal(`term [${term}] is below the term [${acceptedTerm}] of the last accepted state`);
  if (term > TERM_MAX) throw illegal(`term [${term}] is above [${TERM_MAX}]`);
  const value: ClusterState = { ...accepted.value, term: acceptedTerm };
  return { currentTerm: term, accepted: { ...headerOf(value), value } };
}

function termsOf(nodeId: string, { currentTerm, accepted }: DurableState<ClusterState>): NodeTerms {
  return { nodeId, term: currentTerm, acceptedTerm: accepted.term, acceptedVersion: accepted.version };
}

function illegal(reason: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, reason);
}
