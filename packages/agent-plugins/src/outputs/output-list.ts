/**
 * The outputs that come with the agent. Each is loaded when a configuration names it, so that no thread pays for the libraries of the others.
 */
import type { ListedPlugin } from '@shoal/agent-plugin-kit';

export const outputPlugins: readonly ListedPlugin[] = [
  { kind: 'output', name: 'csv', version: '3.0.10', load: async () => (await import('./csv/csv.ts')).csvOutput },
  {
    kind: 'output',
    name: 'elasticsearch',
    version: '12.0.2',
    load: async () => (await import('./elasticsearch/elasticsearch.ts')).elasticsearchOutput,
  },
  { kind: 'output', name: 'email', version: '4.1.3', load: async () => (await import('./email/email.ts')).emailOutput },
  {
    kind: 'output',
    name: 'exec',
    version: '3.1.4',
    load: async () => (await import('./exec/exec.ts')).execOutput,
  },
  { kind: 'output', name: 'file', version: '4.3.0', load: async () => (await import('./file/file.ts')).fileOutput },
  {
    kind: 'output',
    name: 'graphite',
    version: '3.1.6',
    load: async () => (await import('./graphite/graphite.ts')).graphiteOutput,
  },
  { kind: 'output', name: 'http', version: '6.0.0', load: async () => (await import('./http/http.ts')).httpOutput },
  {
    kind: 'output',
    name: 'kafka',
    version: '11.6.0',
    load: async () => (await import('./kafka/kafka.ts')).kafkaOutput,
  },
  {
    kind: 'output',
    name: 'logstash',
    version: '1.0.4',
    load: async () => (await import('./logstash/logstash.ts')).logstashOutput,
  },
  {
    kind: 'output',
    name: 'nagios',
    version: '3.0.6',
    load: async () => (await import('./nagios/nagios.ts')).nagiosOutput,
  },
  { kind: 'output', name: 'null', version: '3.0.5', load: async () => (await import('./null/null.ts')).nullOutput },
  { kind: 'output', name: 'pipe', version: '3.0.6', load: async () => (await import('./pipe/pipe.ts')).pipeOutput },
  {
    kind: 'output',
    name: 'pipeline',
    version: '1.0.0',
    load: async () => (await import('./pipeline/pipeline.ts')).pipelineOutput,
  },
  {
    kind: 'output',
    name: 'rabbitmq',
    version: '7.4.0',
    load: async () => (await import('./rabbitmq/rabbitmq.ts')).rabbitmqOutput,
  },
  { kind: 'output', name: 'redis', version: '5.2.0', load: async () => (await import('./redis/redis.ts')).redisOutput },
  { kind: 'output', name: 's3', version: '7.1.8', load: async () => (await import('./s3/s3.ts')).s3Output },
  {
    kind: 'output',
    name: 'sns',
    version: '7.1.8',
    load: async () => (await import('./sns/sns.ts')).snsOutput,
  },
  { kind: 'output', name: 'sqs', version: '7.1.8', load: async () => (await import('./sqs/sqs.ts')).sqsOutput },
  {
    kind: 'output',
    name: 'statsd',
    version: '3.2.0',
    load: async () => (await import('./statsd/statsd.ts')).statsdOutput,
  },
  {
    kind: 'output',
    name: 'stdout',
    version: '3.1.4',
    load: async () => (await import('./stdout/stdout.ts')).stdoutOutput,
  },
  {
    kind: 'output',
    name: 'syslog',
    version: '3.1.0',
    load: async () => (await import('./syslog/syslog.ts')).syslogOutput,
  },
  { kind: 'output', name: 'tcp', version: '7.0.0', load: async () => (await import('./tcp/tcp.ts')).tcpOutput },
  { kind: 'output', name: 'udp', version: '3.2.0', load: async () => (await import('./udp/udp.ts')).udpOutput },
];
