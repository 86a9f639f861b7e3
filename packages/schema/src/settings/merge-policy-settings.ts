/**
 * Settings of the tiered merge policy, with the defaults of Elasticsearch.
 */
import { parseBytes } from './setting-values.ts';

export interface MergePolicySettings {
  /** Segments smaller than this count as this large when merges are chosen, in bytes; above 0. */
  readonly floorSegmentBytes: number;
  /** Size limit of a segment that the policy makes, in bytes; a forced merge may make larger ones. */
  readonly maxMergedSegmentBytes: number;
  /** Segments of one merge; 2 to `segmentsPerTier`. */
  readonly maxMergeAtOnce: number;
  /** Segments of about one size that are left beside each other; at least 2. */
  readonly segmentsPerTier: number;
  /** Deleted documents that are left in a shard, in percent of all; 5 to 50. */
  readonly deletesPctAllowed: number;
  /** Deleted documents that `only_expunge_deletes` leaves in a segment, in percent of all; 0 to 100. */
  readonly expungeDeletesPctAllowed: number;
}

const MB = 1024 * 1024;
const MERGE_AT_ONCE_MIN = 2;

export function mergePolicySettings(flat: Readonly<Record<string, string>>): MergePolicySettings {
  const number = (key: string, otherwise: number): number => Number(flat[key] ?? otherwise);
  const bytes = (key: string, otherwise: number): number =>
    // 0 stands for the default, as it does in Elasticsearch.
    parseBytes(flat[key] ?? '') || otherwise;
  const segmentsPerTier = number('index.merge.policy.segments_per_tier', 10);
  return {
    floorSegmentBytes: bytes('index.merge.policy.floor_segment', 2 * MB),
    maxMergedSegmentBytes: bytes('index.merge.policy.max_merged_segment', 5 * 1024 * MB),
    // More at once than a tier has would merge segments of several tiers each time.
    maxMergeAtOnce: Math.min(
      number('index.merge.policy.max_merge_at_once', 10),
      Math.max(MERGE_AT_ONCE_MIN, Math.floor(segmentsPerTier)),
    ),
    segmentsPerTier,
    deletesPctAllowed: number('index.merge.policy.deletes_pct_allowed', 20),
    expungeDeletesPctAllowed: number('index.merge.policy.expunge_deletes_allowed', 10),
  };
}

/** What an index without settings of its own has. */
export const MERGE_POLICY_DEFAULTS: MergePolicySettings = mergePolicySettings({});
