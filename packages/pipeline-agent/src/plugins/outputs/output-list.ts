/**
 * The outputs that come with the agent, that between pipelines apart.
 */
import type { PluginDefinition } from '../../plugin/plugin-definition.ts';
import { elasticsearchOutput } from './elasticsearch.ts';
import { fileOutput } from './file.ts';
import { nullOutput } from './null.ts';
import { stdoutOutput } from './stdout.ts';

export const outputPlugins: readonly PluginDefinition[] = [stdoutOutput, fileOutput, elasticsearchOutput, nullOutput];
