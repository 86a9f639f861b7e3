/**
 * The inputs that come with the agent, those of pipelines and dead letters apart.
 */
import type { PluginDefinition } from '../../plugin/plugin-definition.ts';
import { beatsInput } from './beats.ts';
import { elasticsearchInput } from './elasticsearch.ts';
import { execInput } from './exec.ts';
import { fileInput } from './file.ts';
import { generatorInput } from './generator.ts';
import { heartbeatInput } from './heartbeat.ts';
import { httpInput } from './http.ts';
import { httpPollerInput } from './http-poller.ts';
import { stdinInput } from './stdin.ts';
import { syslogInput } from './syslog.ts';
import { tcpInput } from './tcp.ts';
import { udpInput } from './udp.ts';

export const inputPlugins: readonly PluginDefinition[] = [
  beatsInput,
  elasticsearchInput,
  execInput,
  fileInput,
  generatorInput,
  heartbeatInput,
  httpInput,
  httpPollerInput,
  stdinInput,
  syslogInput,
  tcpInput,
  udpInput,
];
