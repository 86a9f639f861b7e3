/**
 * The outputs that come with the agent, that between pipelines apart.
 */
import type { PluginDefinition } from '../../plugin/plugin-definition.ts';
import { elasticsearchOutput } from './elasticsearch.ts';
import { emailOutput } from './email.ts';
import { fileOutput } from './file.ts';
import { httpOutput } from './http.ts';
import { nullOutput } from './null.ts';
import { pipeOutput } from './pipe.ts';
import { stdoutOutput } from './stdout.ts';
import { tcpOutput } from './tcp.ts';
import { udpOutput } from './udp.ts';

export const outputPlugins: readonly PluginDefinition[] = [
  elasticsearchOutput,
  emailOutput,
  fileOutput,
  httpOutput,
  nullOutput,
  pipeOutput,
  stdoutOutput,
  tcpOutput,
  udpOutput,
];
