/**
 * The inputs that come with the agent, those of pipelines and dead letters apart.
 */
import type { PluginDefinition } from '../../plugin/plugin-definition.ts';
import { fileInput } from './file.ts';
import { generatorInput } from './generator.ts';
import { heartbeatInput } from './heartbeat.ts';
import { stdinInput } from './stdin.ts';

export const inputPlugins: readonly PluginDefinition[] = [stdinInput, generatorInput, fileInput, heartbeatInput];
