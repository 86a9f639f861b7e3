/**
 * Plugins that Logstash has or had, of its own, from its makers or from others that many use, so that a name that this agent lacks is not
 * taken for a slip.
 */
import type { PluginKind } from '@shoal/agent-plugin-kit';

/** Names by kind. */
export const LOGSTASH_PLUGINS: Readonly<Record<PluginKind, ReadonlySet<string>>> = {
  input: names(
    'azure_blob_storage azure_event_hubs beats cloudwatch cloudwatch_logs couchdb_changes dead_letter_queue dynamodb elastic_serverless_forwarder elasticsearch exec file ' +
      'eventlog ganglia gelf generator github google_cloud_storage google_pubsub graphite heartbeat http http_poller imap irc java_generator ' +
      'java_stdin journald ' +
      'jdbc jms jmx kafka kinesis log4j log4j2 logstash lumberjack meetup mongodb opensearch pipe pipeline puppet_facter rabbitmq redis relp rss s3 s3-sns-sqs salesforce ' +
      'snmp snmptrap sqlite sqs stdin stomp syslog tcp twitter udp unix varnishlog websocket wmi xmpp zeromq',
  ),
  filter: names(
    'advisor age aggregate alter anonymize bytes checksum cidr cipher clone cloudfoundry collate csv date de_dot dissect dns drop elapsed elastic_integration elasticsearch emoji ' +
      'environment extractnumbers fingerprint gelfify geoip grep grok hashid http i18n ieee_oui jdbc_static jdbc_streaming json json_encode kubernetes_metadata kv language lookup math memcached ' +
      'metaevent metricize metrics multiline mutate noop prune punct range ruby sleep split syslog_pri threats_classifier throttle tld translate truncate unique urldecode useragent ' +
      'uuid virustotal wait_for wurfl_device_detection xml yaml zeromq',
  ),
  output: names(
    'amazon_es boundary circonus cloudwatch csv datadog datadog_metrics dynatrace elastic_app_search elastic_workplace_search elasticsearch ' +
      'elasticsearch_http email exec file ganglia gelf google_bigquery google_cloud_storage google_pubsub graphite graphtastic hipchat http influxdb irc java_stdout jdbc jira ' +
      'juggernaut kafka kinesis librato logstash loggly loki lumberjack metriccatcher microsoft-logstash-output-azure-loganalytics mongodb nagios nagios_nsca newrelic null opensearch opentsdb pagerduty pipe ' +
      'pipeline rabbitmq rackspace redis redmine riak riemann s3 slack sns solr_http sqs statsd stdout stomp syslog tcp timber udp webhdfs websocket ' +
      'xmpp zabbix zeromq',
  ),
  codec: names(
    'avro cef cloudfront cloudtrail collectd compress_spooler csv dots edn edn_lines es_bulk fluent graphite gzip_lines json ' +
      'json_lines json_spooler line msgpack multiline netflow nmap noop oldlogstashjson plain protobuf rubydebug s3plain sflow spool',
  ),
};

function names(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
