/**
 * `include_defaults`: the defaults of index settings that are not set.
 *
 * Only settings that this program acts on are listed.
 */
import type { IndexMetadata } from '@shoal/cluster-state';
import { filterSettings, type SettingsView, settingsBody } from './index-settings-body.ts';

const DEFAULTS: Readonly<Record<string, string>> = {
  'index.auto_expand_replicas': 'false',
  'index.blocks.metadata': 'false',
  'index.blocks.read': 'false',
  'index.blocks.read_only': 'false',
  'index.blocks.read_only_allow_delete': 'false',
  'index.blocks.write': 'false',
  'index.gc_deletes': '60s',
  'index.hidden': 'false',
  'index.mapping.depth.limit': '20',
  'index.mapping.total_fields.ignore_dynamic_beyond_limit': 'false',
  'index.mapping.total_fields.limit': '1000',
  'index.max_result_window': '10000',
  'index.merge.policy.deletes_pct_allowed': '20.0',
  'index.merge.policy.expunge_deletes_allowed': '10.0',
  'index.merge.policy.floor_segment': '2mb',
  'index.merge.policy.max_merge_at_once': '10',
  'index.merge.policy.max_merged_segment': '0b',
  'index.merge.policy.segments_per_tier': '10.0',
  'index.refresh_interval': '1s',
  'index.search.idle.after': '30s',
  'index.translog.durability': 'REQUEST',
  'index.translog.flush_threshold_size': '512mb',
  'index.translog.sync_interval': '5s',
};

export function defaultIndexSettings(index: IndexMetadata, view: SettingsView): Readonly<Record<string, unknown>> {
  const unset = Object.fromEntries(Object.entries(DEFAULTS).filter(([name]) => index.settings[name] === undefined));
  return settingsBody(filterSettings(unset, view.names), view.isFlat);
}
