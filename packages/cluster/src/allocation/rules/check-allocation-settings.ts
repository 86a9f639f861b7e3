/** Settings of allocation that are fine one by one and contradict each other together. */
import type { ClusterSettings } from '../../reading/cluster-settings.ts';
import { checkBalanceRules } from './balance-rules.ts';
import { checkDiskRules } from './disk-rules.ts';

/** Throws `illegal_argument_exception`. @param settings cluster settings in force, or those that a node is started with */
export function checkAllocationSettings(settings: ClusterSettings): void {
  checkDiskRules(settings);
  checkBalanceRules(settings);
}
