/**
 * Plugins that Logstash has, of its own or from its makers, so that a name that this agent lacks is not taken for a slip.
 */
import type { PluginKind } from '@shoal/agent-plugin-kit';

const NAMES: Readonly<Record<PluginKind, string>> = {
  input:
    'azure_event_hubs beats cloudwatch couchdb_changes dead_letter_queue elastic_agent elastic_serverless_forwarder elasticsearch exec file ' +
    'ganglia gelf generator github google_cloud_storage google_pubsub graphite heartbeat http http_poller imap irc java_generator java_stdin ' +
    'jdbc jms jmx kafka kinesis log4j logstash lumberjack meetup pipe pipeline puppet_facter rabbitmq redis relp rss s3 s3-sns-sqs salesforce ' +
    'snmp snmptrap sqlite sqs stdin stomp syslog tcp twitter udp unix varnishlog websocket wmi xmpp',
  filter:
    'age aggregate alter anonymize bytes cidr cipher clone csv date de_dot dissect dns drop elapsed elastic_integration elasticsearch ' +
    'environment extractnumbers fingerprint geoip grok http i18n java_uuid jdbc_static jdbc_streaming json json_encode kv language memcached ' +
    'metricize metrics mutate prune range ruby sleep split syslog_pri threats_classifier throttle tld translate truncate urldecode useragent ' +
    'uuid wurfl_device_detection xml yaml zeromq',
  output:
    'amazon_es boundary circonus cloudwatch csv datadog datadog_metrics dynatrace elastic_app_search elastic_workplace_search elasticsearch ' +
    'email exec file ganglia gelf google_bigquery google_cloud_storage google_pubsub graphite graphtastic http influxdb irc java_stdout ' +
    'juggernaut kafka librato logstash loggly loki lumberjack metriccatcher mongodb nagios nagios_nsca null opensearch opentsdb pagerduty pipe ' +
    'pipeline rabbitmq redis redmine riak riemann s3 sink slack sns solr_http sqs statsd stdout stomp syslog tcp timber udp webhdfs websocket ' +
    'xmpp zabbix',
  codec:
    'avro cef cloudfront cloudtrail collectd csv dots edn edn_lines es_bulk fluent graphite gzip_lines java_line java_plain jdots json ' +
    'json_lines line msgpack multiline netflow nmap plain protobuf rubydebug sflow',
};

/** What does the same here, by kind and name. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['input lumberjack', 'use beats: senders of today speak its protocol'],
  ['input java_generator', 'use generator'],
  ['input java_stdin', 'use stdin'],
  ['input log4j', 'use tcp with the codec json_lines'],
  ['input logstash', 'use http with the codec json'],
  ['input unix', 'use tcp'],
  ['input pipe', 'use exec, or stdin behind a pipe of the shell'],
  ['filter anonymize', 'use fingerprint'],
  ['filter java_uuid', 'use uuid'],
  ['filter environment', 'use mutate with ${NAME} in add_field'],
  ['filter json_encode', 'use javascript with JSON.stringify'],
  ['filter range', 'use conditions'],
  ['filter alter', 'use mutate within conditions'],
  ['filter extractnumbers', 'use grok'],
  ['filter age', 'use javascript'],
  ['filter yaml', 'use javascript'],
  ['output opensearch', 'use elasticsearch: it speaks the same API'],
  ['output amazon_es', 'use elasticsearch'],
  ['output elastic_app_search', 'use http'],
  ['output elastic_workplace_search', 'use http'],
  ['output exec', 'use pipe'],
  ['output java_stdout', 'use stdout'],
  ['output logstash', 'use http with the format json_batch'],
  ['output lumberjack', 'use tcp with the codec json_lines'],
  ['output sink', 'use null'],
  ['output syslog', 'use tcp or udp with the codec line'],
  ['output csv', 'use file with the codec csv'],
  ['output slack', 'use http'],
  ['output loki', 'use http'],
  ['output datadog', 'use http'],
  ['output pagerduty', 'use http'],
  ['output statsd', 'use udp with the codec line'],
  ['output graphite', 'use tcp with the codec line'],
  ['output influxdb', 'use http with the format message'],
  ['codec java_line', 'use line'],
  ['codec java_plain', 'use plain'],
  ['codec jdots', 'use dots'],
]);

/** What to tell about a plugin that only Logstash has; null when Logstash has none of that name either. */
export function missingPluginText(kind: PluginKind, name: string): string | null {
  if (!NAMES[kind].split(' ').includes(name)) return null;
  const instead = INSTEAD.get(`${kind} ${name}`) ?? 'a plugin of your own can take its place (--path.plugins)';
  return `The ${kind} plugin '${name}' of Logstash is not part of this agent: ${instead}`;
}
