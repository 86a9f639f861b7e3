/**
 * What stays the same for a copy: the rules, all of them in the product, and its limits.
 */
import { ALL_RULES, type ReplicationRules } from '../rules/replication-rules.ts';

export interface CopyContext {
  readonly rules: ReplicationRules;
  /** A copy that does not answer for so long has failed, in ms of waiting between attempts. */
  readonly resendMaxMs: number;
  /** How long the history is kept for a copy that is away. */
  readonly leasePeriodMs: number;
  /** How long writes wait for a hand-off. */
  readonly handOffMaxMs: number;
}

export const DEFAULT_CONTEXT: CopyContext = {
  rules: ALL_RULES,
  resendMaxMs: 60_000,
  leasePeriodMs: 12 * 3_600_000,
  handOffMaxMs: 10_000,
};
