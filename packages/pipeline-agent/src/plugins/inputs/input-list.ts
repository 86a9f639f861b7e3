/**
 * The inputs that come with the agent, those of pipelines and dead letters apart. Each is loaded
 * when a configuration names it, so that no thread pays for the libraries of the others.
 */
import type { ListedPlugin } from '../../plugin/listed-plugin.ts';

export const inputPlugins: readonly ListedPlugin[] = [
  { kind: 'input', name: 'beats', version: '7.0.0', load: async () => (await import('./beats.ts')).beatsInput },
  {
    kind: 'input',
    name: 'elasticsearch',
    version: '5.0.0',
    load: async () => (await import('./elasticsearch.ts')).elasticsearchInput,
  },
  { kind: 'input', name: 'exec', version: '3.6.0', load: async () => (await import('./exec.ts')).execInput },
  { kind: 'input', name: 'file', version: '4.4.6', load: async () => (await import('./file.ts')).fileInput },
  {
    kind: 'input',
    name: 'generator',
    version: '3.1.0',
    load: async () => (await import('./generator.ts')).generatorInput,
  },
  {
    kind: 'input',
    name: 'heartbeat',
    version: '3.1.1',
    load: async () => (await import('./heartbeat.ts')).heartbeatInput,
  },
  { kind: 'input', name: 'http', version: '4.1.0', load: async () => (await import('./http.ts')).httpInput },
  {
    kind: 'input',
    name: 'http_poller',
    version: '6.0.0',
    load: async () => (await import('./http-poller.ts')).httpPollerInput,
  },
  { kind: 'input', name: 'stdin', version: '3.4.0', load: async () => (await import('./stdin.ts')).stdinInput },
  { kind: 'input', name: 'syslog', version: '3.7.0', load: async () => (await import('./syslog.ts')).syslogInput },
  { kind: 'input', name: 'tcp', version: '7.0.0', load: async () => (await import('./tcp.ts')).tcpInput },
  { kind: 'input', name: 'udp', version: '3.5.0', load: async () => (await import('./udp.ts')).udpInput },
];
