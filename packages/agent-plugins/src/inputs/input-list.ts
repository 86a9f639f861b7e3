/**
 * The inputs that come with the agent. Each is loaded when a configuration names it, so that no thread pays for the libraries of the others.
 */
import type { ListedPlugin } from '@shoal/agent-plugin-kit';

export const inputPlugins: readonly ListedPlugin[] = [
  { kind: 'input', name: 'beats', version: '7.0.0', load: async () => (await import('./beats/beats.ts')).beatsInput },
  {
    kind: 'input',
    name: 'couchdb_changes',
    version: '3.1.6',
    load: async () => (await import('./couchdb-changes/couchdb-changes.ts')).couchdbChangesInput,
  },
  {
    kind: 'input',
    name: 'dead_letter_queue',
    version: '2.0.0',
    load: async () => (await import('./dead-letter-queue/dead-letter-queue.ts')).deadLetterInput,
  },
  {
    kind: 'input',
    name: 'elastic_serverless_forwarder',
    version: '2.0.0',
    load: async () =>
      (await import('./elastic-serverless-forwarder/elastic-serverless-forwarder.ts')).elasticServerlessForwarderInput,
  },
  {
    kind: 'input',
    name: 'elasticsearch',
    version: '5.0.0',
    load: async () => (await import('./elasticsearch/elasticsearch.ts')).elasticsearchInput,
  },
  { kind: 'input', name: 'exec', version: '3.6.0', load: async () => (await import('./exec/exec.ts')).execInput },
  { kind: 'input', name: 'file', version: '4.4.6', load: async () => (await import('./file/file.ts')).fileInput },
  { kind: 'input', name: 'gelf', version: '3.3.2', load: async () => (await import('./gelf/gelf.ts')).gelfInput },
  {
    kind: 'input',
    name: 'generator',
    version: '3.1.0',
    load: async () => (await import('./generator/generator.ts')).generatorInput,
  },
  {
    kind: 'input',
    name: 'graphite',
    version: '3.0.6',
    load: async () => (await import('./graphite/graphite.ts')).graphiteInput,
  },
  {
    kind: 'input',
    name: 'heartbeat',
    version: '3.1.1',
    load: async () => (await import('./heartbeat/heartbeat.ts')).heartbeatInput,
  },
  { kind: 'input', name: 'http', version: '4.1.0', load: async () => (await import('./http/http.ts')).httpInput },
  {
    kind: 'input',
    name: 'http_poller',
    version: '6.0.0',
    load: async () => (await import('./http-poller/http-poller.ts')).httpPollerInput,
  },
  { kind: 'input', name: 'jdbc', version: '5.6.2', load: async () => (await import('./jdbc/jdbc.ts')).jdbcInput },
  { kind: 'input', name: 'kafka', version: '11.6.0', load: async () => (await import('./kafka/kafka.ts')).kafkaInput },
  {
    kind: 'input',
    name: 'logstash',
    version: '1.0.4',
    load: async () => (await import('./logstash/logstash.ts')).logstashInput,
  },
  { kind: 'input', name: 'pipe', version: '3.1.0', load: async () => (await import('./pipe/pipe.ts')).pipeInput },
  {
    kind: 'input',
    name: 'pipeline',
    version: '1.0.0',
    load: async () => (await import('./pipeline/pipeline.ts')).pipelineInput,
  },
  {
    kind: 'input',
    name: 'rabbitmq',
    version: '7.4.0',
    load: async () => (await import('./rabbitmq/rabbitmq.ts')).rabbitmqInput,
  },
  { kind: 'input', name: 'redis', version: '3.7.1', load: async () => (await import('./redis/redis.ts')).redisInput },
  { kind: 'input', name: 's3', version: '7.1.8', load: async () => (await import('./s3/s3.ts')).s3Input },
  { kind: 'input', name: 'sqs', version: '7.1.8', load: async () => (await import('./sqs/sqs.ts')).sqsInput },
  { kind: 'input', name: 'stdin', version: '3.4.0', load: async () => (await import('./stdin/stdin.ts')).stdinInput },
  {
    kind: 'input',
    name: 'syslog',
    version: '3.7.0',
    load: async () => (await import('./syslog/syslog.ts')).syslogInput,
  },
  { kind: 'input', name: 'tcp', version: '7.0.0', load: async () => (await import('./tcp/tcp.ts')).tcpInput },
  { kind: 'input', name: 'udp', version: '3.5.0', load: async () => (await import('./udp/udp.ts')).udpInput },
  { kind: 'input', name: 'unix', version: '3.1.2', load: async () => (await import('./unix/unix.ts')).unixInput },
];
