/**
 * All deciders, in the order in which explanations list them, and what they say together: NO wins, then THROTTLE.
 */
import { awareness } from './awareness.ts';
import { clusterRebalance } from './cluster-rebalance.ts';
import { concurrentRebalance } from './concurrent-rebalance.ts';
import type { ClusterInput, CopyInput, Decider, DeciderInput, Judgement, NodeInput, Verdict } from './decider.ts';
import { diskThreshold } from './disk-threshold.ts';
import { enable } from './enable.ts';
import { filter } from './filter.ts';
import { maxRetry } from './max-retry.ts';
import { nodeVersion } from './node-version.ts';
import { rebalanceOnlyWhenActive } from './rebalance-only-when-active.ts';
import { replicaAfterPrimaryActive } from './replica-after-primary-active.ts';
import { sameShard } from './same-shard.ts';
import { shardsLimit } from './shards-limit.ts';
import { snapshotInProgress } from './snapshot-in-progress.ts';
import { throttling } from './throttling.ts';

export interface Decision {
  readonly decider: string;
  readonly decision: Verdict;
  readonly explanation: string;
}

const DECIDERS: readonly Decider[] = [
  maxRetry,
  replicaAfterPrimaryActive,
  rebalanceOnlyWhenActive,
  clusterRebalance,
  concurrentRebalance,
  enable,
  nodeVersion,
  snapshotInProgress,
  filter,
  sameShard,
  diskThreshold,
  throttling,
  shardsLimit,
  awareness,
];

type Question = 'canAllocate' | 'canRemain';

/** Deciders by the questions that they have an opinion on: most have none on whether a copy may stay. */
const ASKED: Readonly<Record<Question, readonly Decider[]>> = {
  canAllocate: DECIDERS.filter(({ canAllocate }) => canAllocate !== undefined),
  canRemain: DECIDERS.filter(({ canRemain }) => canRemain !== undefined),
};

const GIVING_AWAY = DECIDERS.filter((decider) => decider.givesAway !== undefined);

const BINDING_EXISTING = DECIDERS.filter(({ bindsExistingPrimaries }) => bindsExistingPrimaries === true);

/** Each decider by itself, with its text. */
export function decide(question: Question, input: DeciderInput): readonly Decision[] {
  return decisions((decider) => decider[question]?.(input));
}

export function decideRebalance(input: CopyInput): readonly Decision[] {
  return decisions((decider) => decider.canRebalance?.(input) ?? decider.canRebalanceCluster?.(input));
}

/** What all deciders say of a question together: NO wins, then THROTTLE. */
export function verdictOf(question: Question, input: DeciderInput): Verdict {
  return together(ASKED[question], (decider) => decider[question]?.(input));
}

export function rebalanceVerdict(input: CopyInput): Verdict {
  return together(DECIDERS, (decider) => decider.canRebalance?.(input) ?? decider.canRebalanceCluster?.(input));
}

/** True of a node that some copy has to leave, whichever it is. */
export function givesAway(input: NodeInput): boolean {
  return GIVING_AWAY.some((decider) => decider.givesAway?.(input) === true);
}

export function mayRebalanceCluster(input: ClusterInput): boolean {
  return together(DECIDERS, (decider) => decider.canRebalanceCluster?.(input)) === 'YES';
}

/**
 * Verdict on a node that has the documents of a primary, where no such node may have it by the rules: what keeps other copies
 * away does not keep documents from those who want them.
 */
export function existingPrimaryVerdict(input: DeciderInput): Verdict {
  return together(BINDING_EXISTING, (decider) => decider.canAllocate?.(input));
}

function decisions(ask: (decider: Decider) => Judgement | undefined): readonly Decision[] {
  return DECIDERS.flatMap((decider) => {
    const judgement = ask(decider);
    if (judgement === undefined) return [];
    return [{ decider: decider.name, decision: judgement.verdict, explanation: judgement.text() }];
  });
}

function together(deciders: readonly Decider[], ask: (decider: Decider) => Judgement | undefined): Verdict {
  let verdict: Verdict = 'YES';
  for (const decider of deciders) {
    const judgement = ask(decider);
    if (judgement?.verdict === 'NO') return 'NO';
    if (judgement?.verdict === 'THROTTLE') verdict = 'THROTTLE';
  }
  return verdict;
}
