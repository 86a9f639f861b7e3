/**
 * Why the cluster is not green: each index that is not, with its causes, from the deciders and choices that allocation itself uses.
 *
 * Pure: a function of the cluster state and of what allocation knows beside it.
 */
import { type ClusterState, type IndexMetadata, type ShardRouting, withoutTargets } from '@shoal/cluster-state';
import { AllocationRound } from '../allocation/allocation-round.ts';
import { CopyCase, type CopyCause } from '../causes/copy-case.ts';
import { JOINT_CAUSES, LAST_CAUSES, WHOLE_CAUSES } from '../causes/copy-causes.ts';
import type { Explanation, Finding } from '../mends/finding.ts';
import { joinedMends, withoutPlaces } from '../mends/mend.ts';
import type { MetadataContext } from '../metadata/metadata-context.ts';
import { isPrimaryActive } from '../reading/active-copy.ts';
import type { HealthStatus } from '../reading/cluster-health.ts';
import { clusterHealth } from '../reading/cluster-health.ts';
import { blockFindings } from './block-findings.ts';

/** Copies explained at most: each is put to all nodes, with texts. */
const EXPLAINED_MAX = 2_000;

export interface ClusterFindings {
  /** The worst first. */
  readonly findings: readonly Finding[];
  /** Copies that are not started and were not looked at, being too many. */
  readonly unexplainedCopies: number;
}

const WORST_FIRST: readonly HealthStatus[] = ['red', 'yellow', 'green'];

/** @param indices concrete names; null: all. Findings of the cluster as a whole are among them in any case. */
export function clusterFindings(
  state: ClusterState,
  context: MetadataContext,
  indices: readonly string[] | null,
): ClusterFindings {
  const health = clusterHealth(state, indices);
  const round = new AllocationRound(state, context);
  const found = new Map<string, Finding>();
  let seen = 0;
  for (const { index: name, status, shards } of health.indices.values()) {
    const index = state.metadata.indices.get(name);
    if (status === 'green' || index === undefined) continue;
    for (const { shard, status: ofShard } of shards) {
      const shardCopies = state.routing.indices.get(name)?.[shard] ?? [];
      for (const copy of waiting(shardCopies)) {
        if (++seen > EXPLAINED_MAX) continue;
        const copyCase = new CopyCase(round, context, { index, copy, shardCopies });
        for (const [cause, explanation] of explain(copyCase))
          add(found, { cause, explanation, index, status: ofShard });
      }
    }
  }
  return {
    findings: worstFirst([...blockFindings(state, context, indices), ...found.values()]),
    unexplainedCopies: Math.max(0, seen - EXPLAINED_MAX),
  };
}

function worstFirst(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort((a, b) => WORST_FIRST.indexOf(a.status) - WORST_FIRST.indexOf(b.status));
}

/** Copies of a shard that are to be explained: replicas wait for a primary that is not there, and say nothing of their own. */
function waiting(copies: readonly ShardRouting[]): readonly ShardRouting[] {
  const isActive = isPrimaryActive(copies);
  return withoutTargets(copies).filter(
    (copy) => (copy.state === 'UNASSIGNED' || copy.state === 'INITIALIZING') && (copy.isPrimary || isActive),
  );
}

function explain(copyCase: CopyCase): readonly (readonly [CopyCause, Explanation])[] {
  const all = (causes: readonly CopyCause[]): readonly (readonly [CopyCause, Explanation])[] =>
    causes.flatMap((cause) => {
      const explanation = cause.explain(copyCase);
      return explanation === null ? [] : [[cause, explanation] as const];
    });
  const whole = all(WHOLE_CAUSES).slice(0, 1);
  if (whole.length > 0) return whole;
  const joint = all(JOINT_CAUSES);
  return joint.length > 0 ? joint : all(LAST_CAUSES).slice(0, 1);
}

interface Explained {
  readonly cause: CopyCause;
  readonly explanation: Explanation;
  readonly index: IndexMetadata;
  readonly status: HealthStatus;
}

/** Joins copies that suffer from the same, of one index or of many. */
function add(found: Map<string, Finding>, { cause, explanation, index, status }: Explained): void {
  const { reason, mends } = explanation;
  // Copies of one index differ in what else is said of them; a reason that names no index is that of many.
  const isOfIndex = reason.includes(`[${index.name}]`);
  const key = JSON.stringify([cause.name, mends.map(withoutPlaces), isOfIndex ? index.name : null]);
  const before = found.get(key);
  const copies = 1 + (before?.copies ?? 0);
  const worst = before?.status === 'red' ? 'red' : status;
  found.set(key, {
    cause: cause.name,
    status: worst,
    indices: [...new Set([...(before?.indices ?? []), index.name])],
    copies,
    reason: before?.reason ?? reason,
    effect: effectOf(worst, copies),
    mends: before === undefined ? mends : joinedMends(before.mends, mends),
  });
}

function effectOf(status: HealthStatus, copies: number): string {
  const shown = copies === 1 ? '1 copy has' : `${copies} copies have`;
  return status === 'red'
    ? `${shown} no node that serves them: searches of these shards fail and writes to them wait and fail`
    : `${shown} no node yet: everything is answered, and the loss of another node may lose what only one node has`;
}
