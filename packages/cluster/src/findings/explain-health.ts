/**
 * The answer of the cluster manager to `_cluster/health/_why`: how the cluster is, why, and, for a dry run, what each mend would make of it.
 */
import type { ClusterState } from '@shoal/cluster-state';
import { asShoalError, isAssertionFailure } from '@shoal/core';
import type { Mend } from '../mends/mend.ts';
import type { MetadataContext } from '../metadata/metadata-context.ts';
import { clusterHealth } from '../reading/cluster-health.ts';
import { clusterFindings } from './cluster-findings.ts';
import { stateAfter } from './dry-run.ts';
import { findingBody } from './finding-body.ts';

type Json = Readonly<Record<string, unknown>>;

/** Mends tried in a dry run: each is a change of the whole state. */
const TRIED_MAX = 50;

export interface HealthQuestion {
  /** Concrete names; null: all. */
  readonly indices: readonly string[] | null;
  readonly isDryRun: boolean;
}

export function explainHealth(
  state: ClusterState,
  { indices, isDryRun }: HealthQuestion,
  context: MetadataContext,
): Json {
  const { findings, unexplainedCopies } = clusterFindings(state, context, indices);
  let tried = 0;
  const afterOf = (mend: Mend): Json =>
    ++tried > TRIED_MAX ? { not_tried: `only ${TRIED_MAX} mends are` } : after(state, [mend], { context, indices });
  const first = findings.flatMap(({ mends }) => mends.slice(0, 1));
  return {
    status: clusterHealth(state, indices).status,
    findings: findings.map((finding) => findingBody(finding, isDryRun ? afterOf : null)),
    ...(unexplainedCopies === 0 ? {} : { unexplained_copies: unexplainedCopies }),
    // All first mends together, in the order in which they are told.
    ...(isDryRun ? { after: after(state, first.slice(0, TRIED_MAX), { context, indices }) } : {}),
  };
}

interface Asked {
  readonly context: MetadataContext;
  readonly indices: readonly string[] | null;
}

function after(state: ClusterState, mends: readonly Mend[], { context, indices }: Asked): Json {
  try {
    const next = stateAfter(state, mends, context);
    const left = indices === null ? null : indices.filter((name) => next.metadata.indices.has(name));
    const { status, activeShards, unassignedShards, numberOfDataNodes } = clusterHealth(next, left);
    return {
      status,
      active_shards: activeShards,
      unassigned_shards: unassignedShards,
      number_of_data_nodes: numberOfDataNodes,
    };
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    // What the change would be refused with is what a dry run is for.
    return { refused: asShoalError(error).message };
  }
}
