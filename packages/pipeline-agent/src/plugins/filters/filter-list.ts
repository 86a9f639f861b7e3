/**
 * The filters that come with the agent.
 */
import type { PluginDefinition } from '../../plugin/plugin-definition.ts';
import { aggregateFilter } from './aggregate.ts';
import { cidrFilter } from './cidr.ts';
import { cloneFilter } from './clone.ts';
import { csvFilter } from './csv.ts';
import { dateFilter } from './date.ts';
import { deDotFilter } from './de-dot.ts';
import { dissectFilter } from './dissect.ts';
import { dnsFilter } from './dns.ts';
import { dropFilter } from './drop.ts';
import { elapsedFilter } from './elapsed.ts';
import { fingerprintFilter } from './fingerprint.ts';
import { geoipFilter } from './geoip.ts';
import { grokFilter } from './grok.ts';
import { javascriptFilter } from './javascript.ts';
import { jsonFilter } from './json.ts';
import { kvFilter } from './kv.ts';
import { metricsFilter } from './metrics.ts';
import { mutateFilter } from './mutate.ts';
import { pruneFilter } from './prune.ts';
import { rubyFilter } from './ruby.ts';
import { sleepFilter } from './sleep.ts';
import { splitFilter } from './split.ts';
import { throttleFilter } from './throttle.ts';
import { translateFilter } from './translate.ts';
import { truncateFilter } from './truncate.ts';
import { urldecodeFilter } from './urldecode.ts';
import { useragentFilter } from './useragent.ts';
import { uuidFilter } from './uuid.ts';
import { xmlFilter } from './xml.ts';

export const filterPlugins: readonly PluginDefinition[] = [
  aggregateFilter,
  cidrFilter,
  cloneFilter,
  csvFilter,
  dateFilter,
  deDotFilter,
  dissectFilter,
  dnsFilter,
  dropFilter,
  elapsedFilter,
  fingerprintFilter,
  geoipFilter,
  grokFilter,
  javascriptFilter,
  jsonFilter,
  kvFilter,
  metricsFilter,
  mutateFilter,
  pruneFilter,
  rubyFilter,
  sleepFilter,
  splitFilter,
  throttleFilter,
  translateFilter,
  truncateFilter,
  urldecodeFilter,
  useragentFilter,
  uuidFilter,
  xmlFilter,
];
