/**
 * What a configuration is told that names a plugin of Logstash which is not part of this agent.
 */
import type { PluginKind } from '@shoal/agent-plugin-kit';
import { LOGSTASH_PLUGINS } from './logstash-plugins.ts';

/** What does the same here, by kind and name. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['input lumberjack', 'use beats: senders of today speak its protocol'],
  ['input java_generator', 'use generator'],
  ['input java_stdin', 'use stdin'],
  ['input log4j', 'use tcp with the codec json_lines'],
  ['input log4j2', 'use tcp with the codec json_lines'],
  ['input opensearch', 'use elasticsearch: it speaks the same API'],
  ['input journald', 'use pipe with journalctl -f -o json and the codec json'],
  ['input snmptrap', 'use pipe with a program that prints traps, such as snmptrapd -f -Lo'],
  ['filter multiline', 'use the codec multiline of the input'],
  ['filter grep', 'use drop within a condition'],
  ['filter noop', 'remove it'],
  ['output opensearch', 'use elasticsearch: it speaks the same API'],
  ['output elasticsearch_http', 'use elasticsearch'],
  ['output amazon_es', 'use elasticsearch'],
  ['output elastic_app_search', 'use http'],
  ['output elastic_workplace_search', 'use http'],
  ['output java_stdout', 'use stdout'],
  ['output lumberjack', 'use the output logstash, or tcp with the codec json_lines'],
  ['output slack', 'use http'],
  ['output hipchat', 'use http'],
  ['output jira', 'use http'],
  ['output newrelic', 'use http'],
  ['output loki', 'use http'],
  ['output datadog', 'use http'],
  ['output pagerduty', 'use http'],
  ['output influxdb', 'use http with the format message'],
  ['codec json_spooler', 'use json'],
  ['codec oldlogstashjson', 'use json, and mutate to rename @message and the like'],
  ['codec noop', 'use plain'],
  ['codec s3plain', 'use plain'],
]);

/** What to tell about a plugin that only Logstash has; null when Logstash has none of that name either. */
export function missingPluginText(kind: PluginKind, name: string): string | null {
  if (!LOGSTASH_PLUGINS[kind].has(name)) return null;
  const instead = INSTEAD.get(`${kind} ${name}`) ?? 'a plugin of your own can take its place (--path.plugins)';
  return `The ${kind} plugin '${name}' of Logstash is not part of this agent: ${instead}`;
}
