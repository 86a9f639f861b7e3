/**
 * The filters that come with the agent. Each is loaded
 * when a configuration names it, so that no thread pays for the libraries of the others.
 */
import type { ListedPlugin } from '@shoal/agent-plugin-kit';

export const filterPlugins: readonly ListedPlugin[] = [
  {
    kind: 'filter',
    name: 'aggregate',
    version: '2.10.0',
    load: async () => (await import('./aggregate/aggregate.ts')).aggregateFilter,
  },
  { kind: 'filter', name: 'bytes', version: '1.0.3', load: async () => (await import('./bytes/bytes.ts')).bytesFilter },
  { kind: 'filter', name: 'cidr', version: '3.1.3', load: async () => (await import('./cidr/cidr.ts')).cidrFilter },
  { kind: 'filter', name: 'clone', version: '4.2.0', load: async () => (await import('./clone/clone.ts')).cloneFilter },
  { kind: 'filter', name: 'csv', version: '3.1.1', load: async () => (await import('./csv/csv.ts')).csvFilter },
  { kind: 'filter', name: 'date', version: '3.1.15', load: async () => (await import('./date/date.ts')).dateFilter },
  {
    kind: 'filter',
    name: 'de_dot',
    version: '1.1.0',
    load: async () => (await import('./de-dot/de-dot.ts')).deDotFilter,
  },
  {
    kind: 'filter',
    name: 'dissect',
    version: '1.2.5',
    load: async () => (await import('./dissect/dissect.ts')).dissectFilter,
  },
  { kind: 'filter', name: 'dns', version: '3.2.0', load: async () => (await import('./dns/dns.ts')).dnsFilter },
  { kind: 'filter', name: 'drop', version: '3.0.5', load: async () => (await import('./drop/drop.ts')).dropFilter },
  {
    kind: 'filter',
    name: 'elapsed',
    version: '4.1.0',
    load: async () => (await import('./elapsed/elapsed.ts')).elapsedFilter,
  },
  {
    kind: 'filter',
    name: 'elasticsearch',
    version: '4.2.0',
    load: async () => (await import('./elasticsearch/elasticsearch.ts')).elasticsearchFilter,
  },
  {
    kind: 'filter',
    name: 'fingerprint',
    version: '3.4.4',
    load: async () => (await import('./fingerprint/fingerprint.ts')).fingerprintFilter,
  },
  { kind: 'filter', name: 'geoip', version: '7.3.1', load: async () => (await import('./geoip/geoip.ts')).geoipFilter },
  { kind: 'filter', name: 'http', version: '2.0.0', load: async () => (await import('./http/http.ts')).httpFilter },
  { kind: 'filter', name: 'grok', version: '4.4.3', load: async () => (await import('./grok/grok.ts')).grokFilter },
  {
    kind: 'filter',
    name: 'javascript',
    version: '1.0.0',
    load: async () => (await import('./javascript/javascript.ts')).javascriptFilter,
  },
  {
    kind: 'filter',
    name: 'jdbc_static',
    version: '5.6.2',
    load: async () => (await import('./jdbc-static/jdbc-static.ts')).jdbcStaticFilter,
  },
  {
    kind: 'filter',
    name: 'jdbc_streaming',
    version: '5.6.2',
    load: async () => (await import('./jdbc-streaming/jdbc-streaming.ts')).jdbcStreamingFilter,
  },
  { kind: 'filter', name: 'json', version: '3.2.1', load: async () => (await import('./json/json.ts')).jsonFilter },
  { kind: 'filter', name: 'kv', version: '4.7.0', load: async () => (await import('./kv/kv.ts')).kvFilter },
  {
    kind: 'filter',
    name: 'memcached',
    version: '1.2.0',
    load: async () => (await import('./memcached/memcached.ts')).memcachedFilter,
  },
  {
    kind: 'filter',
    name: 'metrics',
    version: '4.0.7',
    load: async () => (await import('./metrics/metrics.ts')).metricsFilter,
  },
  {
    kind: 'filter',
    name: 'mutate',
    version: '3.5.8',
    load: async () => (await import('./mutate/mutate.ts')).mutateFilter,
  },
  { kind: 'filter', name: 'prune', version: '3.0.4', load: async () => (await import('./prune/prune.ts')).pruneFilter },
  { kind: 'filter', name: 'ruby', version: '3.1.8', load: async () => (await import('./ruby/ruby.ts')).rubyFilter },
  { kind: 'filter', name: 'sleep', version: '3.0.7', load: async () => (await import('./sleep/sleep.ts')).sleepFilter },
  { kind: 'filter', name: 'split', version: '3.1.8', load: async () => (await import('./split/split.ts')).splitFilter },
  {
    kind: 'filter',
    name: 'syslog_pri',
    version: '3.2.1',
    load: async () => (await import('./syslog-pri/syslog-pri.ts')).syslogPriFilter,
  },
  {
    kind: 'filter',
    name: 'throttle',
    version: '4.0.4',
    load: async () => (await import('./throttle/throttle.ts')).throttleFilter,
  },
  {
    kind: 'filter',
    name: 'translate',
    version: '3.4.2',
    load: async () => (await import('./translate/translate.ts')).translateFilter,
  },
  {
    kind: 'filter',
    name: 'truncate',
    version: '1.0.6',
    load: async () => (await import('./truncate/truncate.ts')).truncateFilter,
  },
  {
    kind: 'filter',
    name: 'urldecode',
    version: '3.0.6',
    load: async () => (await import('./urldecode/urldecode.ts')).urldecodeFilter,
  },
  {
    kind: 'filter',
    name: 'useragent',
    version: '3.3.5',
    load: async () => (await import('./useragent/useragent.ts')).useragentFilter,
  },
  { kind: 'filter', name: 'uuid', version: '3.0.5', load: async () => (await import('./uuid/uuid.ts')).uuidFilter },
  { kind: 'filter', name: 'xml', version: '4.3.0', load: async () => (await import('./xml/xml.ts')).xmlFilter },
];
