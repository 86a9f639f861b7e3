/**
 * How fast the shards of a node send files to other copies.
 */
import type { ClusterSettings } from '@shoal/cluster';
import { parseByteSize } from '@shoal/core';
import { RECOVERY_BYTES_PER_SECOND_DEFAULT } from '@shoal/engine';

const RECOVERY_RATE = 'indices.recovery.max_bytes_per_sec';

/** Bytes a second, all copies together. */
export function recoveryRateOf(settings: ClusterSettings): number {
  const rate = settings[RECOVERY_RATE];
  return rate === undefined ? RECOVERY_BYTES_PER_SECOND_DEFAULT : parseByteSize(rate, RECOVERY_RATE);
}
