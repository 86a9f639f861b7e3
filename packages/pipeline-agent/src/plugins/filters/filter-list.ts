/**
 * The filters that come with the agent.
 */
import type { PluginDefinition } from '../../plugin/plugin-definition.ts';
import { cloneFilter } from './clone.ts';
import { csvFilter } from './csv.ts';
import { dateFilter } from './date.ts';
import { dissectFilter } from './dissect.ts';
import { dropFilter } from './drop.ts';
import { grokFilter } from './grok.ts';
import { jsonFilter } from './json.ts';
import { mutateFilter } from './mutate.ts';
import { splitFilter } from './split.ts';

export const filterPlugins: readonly PluginDefinition[] = [
  cloneFilter,
  csvFilter,
  dateFilter,
  dissectFilter,
  dropFilter,
  grokFilter,
  jsonFilter,
  mutateFilter,
  splitFilter,
];
