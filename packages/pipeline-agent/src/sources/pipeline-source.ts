/**
 * Everything that makes one pipeline, as data: the text of its configuration and its settings. Two equal sources are
 * the same pipeline, which is how a reload knows what changed.
 */
import { createHash } from 'node:crypto';
import type { EscapeStyle } from '@shoal/agent-event';

export interface ConfigText {
  /** A path, or the name of the flag that gave it. */
  readonly name: string;
  readonly text: string;
}

export interface PipelineSettings {
  readonly workers: number;
  readonly isWorkersExplicit: boolean;
  readonly batchSize: number;
  readonly batchDelayMs: number;
  readonly ordered: 'auto' | 'true' | 'false';
  readonly isReloadable: boolean;
  readonly isUnsafeShutdown: boolean;
  readonly ecs: 'disabled' | 'v1' | 'v8';
  readonly supportEscapes: boolean;
  /** How names of fields write brackets that belong to them. */
  readonly escapeStyle: EscapeStyle;
  /** `log.level` is debug: plugins may log what helps to find out why. */
  readonly isDebugging: boolean;
  readonly queueType: 'memory' | 'persisted';
  readonly queuePath: string;
  readonly pageBytes: number;
  readonly queueBytesMax: number;
  /** Limit of a queue in memory. */
  readonly queueMemoryBytesMax: number;
  readonly queueEventsMax: number;
  readonly queueCompression: 'none' | 'speed' | 'balanced' | 'size';
  readonly checkpointAcks: number;
  readonly checkpointWrites: number;
  readonly checkpointIntervalMs: number;
  readonly drainsQueue: boolean;
  /** Inputs tell their sources only when the outputs are done with an event. */
  readonly acknowledgesOutputs: boolean;
  /** Whether inputs run in the thread that those of all pipelines share with the API. */
  readonly inputThread: 'auto' | 'shared' | 'own';
  readonly hasDeadLetters: boolean;
  readonly deadLetterPath: string;
  readonly deadLetterBytesMax: number;
  readonly deadLetterFlushMs: number;
  readonly deadLetterPolicy: 'drop_newer' | 'drop_older';
  readonly deadLetterRetainMs: number | null;
}

export interface PipelineSource {
  readonly id: string;
  readonly texts: readonly ConfigText[];
  readonly settings: PipelineSettings;
  readonly dataPath: string;
  readonly hostName: string;
  /** For `${NAME}` in the configuration. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folders in which plugins of users are looked for. */
  readonly pluginPaths: readonly string[];
}

/** 64 hex digits of the texts and settings. */
export function sourceHash(source: PipelineSource): string {
  const { texts, settings } = source;
  return createHash('sha256')
    .update(JSON.stringify([texts.map(({ text }) => text), settings]))
    .digest('hex');
}
