/**
 * The pipelines that an agent should run, from its settings and from `pipelines.yml`: read again at each reload.
 */
import { flattenSettings, messageOf, type Settings, ShoalError } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import * as all from '../settings/agent-settings.ts';
import { replaceVariables } from '../settings/setting-variables.ts';
import { readConfigFiles } from './config-files.ts';
import type { ConfigText, PipelineSettings, PipelineSource } from './pipeline-source.ts';

export interface SourceContext {
  readonly runtime: Runtime;
  readonly settings: Settings;
  readonly environment: Readonly<Record<string, string>>;
  readonly hostName: string;
}

const PIPELINES_MAX = 1_000;
/** Ids become names of folders. */
const PIPELINE_ID = /^[A-Za-z0-9_.-]{1,200}$/;

export async function readPipelineSources(context: SourceContext): Promise<readonly PipelineSource[]> {
  const { settings, runtime } = context;
  const hasConfig = settings.get(all.PATH_CONFIG) !== '';
  const hasString = settings.get(all.CONFIG_STRING) !== '';
  if (hasConfig && hasString) {
    throw new ShoalError('illegal_argument_exception', 400, 'both -f (path.config) and -e (config.string) are given');
  }
  const file = `${settings.get(all.PATH_SETTINGS).replace(/\/+$/, '')}/pipelines.yml`;
  const hasFile = await runtime.disk.exists(file);
  if (hasConfig || hasString) {
    if (hasFile) runtime.log.warn('pipelines.yml is not used: the command line names a configuration', { file });
    return [await sourceOf(context, settings)];
  }
  if (!hasFile) {
    throw new ShoalError(
      'config_exception',
      400,
      `nothing to run: give a configuration with -f, with -e, or in ${file}`,
    );
  }
  const entries = await readPipelinesFile(context, file);
  const sources: PipelineSource[] = [];
  for (const entry of entries) sources.push(await sourceOf(context, entry));
  return sources;
}

async function readPipelinesFile(context: SourceContext, file: string): Promise<readonly Settings[]> {
  const text = new TextDecoder().decode(await context.runtime.disk.readFile(file));
  const wrong = (message: string): ShoalError => new ShoalError('config_exception', 400, `${file}: ${message}`);
  let list: unknown;
  try {
    // Most agents have no such file, and start faster without its reader.
    const { parse } = await import('yaml');
    list = parse(text);
  } catch (error) {
    throw wrong(messageOf(error));
  }
  if (!Array.isArray(list) || list.length === 0) throw wrong('expected a list of pipelines');
  if (list.length > PIPELINES_MAX) throw wrong(`more than ${PIPELINES_MAX} pipelines`);
  const base = context.settings.toFlat();
  const ids = new Set<string>();
  return list.map((item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw wrong('a pipeline is a map of settings');
    const own = new Map(
      [...flattenSettings(item as Readonly<Record<string, unknown>>)].map(([name, value]) => [
        name,
        replaceVariables(value, context.environment),
      ]),
    );
    for (const name of own.keys()) {
      if (all.AGENT_SETTINGS.find(name) === null) throw all.AGENT_SETTINGS.unknown(name);
      if (!all.PIPELINE_SETTING_NAMES.has(name)) throw wrong(`[${name}] is a setting of the agent, not of a pipeline`);
    }
    const settings = all.AGENT_SETTINGS.parse({ ...base, ...Object.fromEntries(own) });
    const id = settings.get(all.PIPELINE_ID);
    if (ids.has(id)) throw wrong(`two pipelines have the id [${id}]`);
    ids.add(id);
    return settings;
  });
}

async function sourceOf(context: SourceContext, settings: Settings): Promise<PipelineSource> {
  const id = settings.get(all.PIPELINE_ID);
  if (!PIPELINE_ID.test(id) || id === '.' || id === '..') {
    throw new ShoalError('illegal_argument_exception', 400, `pipeline id [${id}]: letters, digits, _ . - only`);
  }
  const texts = await textsOf(context, settings, id);
  return {
    id,
    texts,
    settings: pipelineSettings(context, settings),
    dataPath: settings.get(all.PATH_DATA),
    hostName: context.hostName,
    environment: namedIn(texts, context.environment),
    pluginPaths: settings.get(all.PATH_PLUGINS),
  };
}

/** A source is copied to the thread of every worker: it takes the variables along that its texts name, and no others. */
function namedIn(
  texts: readonly ConfigText[],
  environment: SourceContext['environment'],
): SourceContext['environment'] {
  const naming = texts.filter(({ text }) => text.includes('${'));
  if (naming.length === 0) return {};
  const names = Object.keys(environment).filter((name) => naming.some(({ text }) => text.includes(`\${${name}`)));
  return Object.fromEntries(names.map((name) => [name, environment[name] ?? '']));
}

async function textsOf(context: SourceContext, settings: Settings, id: string): Promise<readonly ConfigText[]> {
  const text = settings.get(all.CONFIG_STRING);
  const path = settings.get(all.PATH_CONFIG);
  if (text !== '' && path !== '') {
    throw new ShoalError('illegal_argument_exception', 400, `pipeline [${id}] has both path.config and config.string`);
  }
  if (text !== '') return [{ name: 'config.string', text }];
  if (path !== '') return readConfigFiles(context.runtime.disk, path);
  throw new ShoalError('config_exception', 400, `pipeline [${id}] has neither path.config nor config.string`);
}

function pipelineSettings({ runtime }: SourceContext, settings: Settings): PipelineSettings {
  const dataPath = settings.get(all.PATH_DATA);
  const workers = settings.get(all.WORKERS);
  const retainMs = settings.get(all.DLQ_RETAIN);
  return {
    workers: workers === 0 ? runtime.machine.cpuCount : workers,
    isWorkersExplicit: workers !== 0,
    batchSize: settings.get(all.BATCH_SIZE),
    batchDelayMs: settings.get(all.BATCH_DELAY),
    ordered: settings.get(all.ORDERED),
    isReloadable: settings.get(all.RELOADABLE),
    isUnsafeShutdown: settings.get(all.UNSAFE_SHUTDOWN),
    ecs: settings.get(all.ECS),
    supportEscapes: settings.get(all.SUPPORT_ESCAPES),
    escapeStyle: settings.get(all.ESCAPE_STYLE),
    isDebugging: ['debug', 'trace'].includes(settings.get(all.LOG_LEVEL)),
    queueType: settings.get(all.QUEUE_TYPE),
    queuePath: settings.get(all.PATH_QUEUE) || `${dataPath}/queue`,
    pageBytes: settings.get(all.QUEUE_PAGE),
    queueBytesMax: settings.get(all.QUEUE_BYTES),
    queueMemoryBytesMax: settings.get(all.QUEUE_MEMORY_BYTES),
    queueEventsMax: settings.get(all.QUEUE_EVENTS),
    queueCompression: settings.get(all.QUEUE_COMPRESSION),
    acknowledgesOutputs: settings.get(all.ACKNOWLEDGE) === 'outputs',
    checkpointAcks: settings.get(all.CHECKPOINT_ACKS),
    checkpointWrites: settings.get(all.CHECKPOINT_WRITES),
    checkpointIntervalMs: settings.get(all.CHECKPOINT_INTERVAL),
    drainsQueue: settings.get(all.QUEUE_DRAIN),
    inputThread: settings.get(all.INPUT_THREAD),
    hasDeadLetters: settings.get(all.DLQ_ENABLE),
    deadLetterPath: settings.get(all.PATH_DEAD_LETTER_QUEUE) || `${dataPath}/dead_letter_queue`,
    deadLetterBytesMax: settings.get(all.DLQ_BYTES),
    deadLetterFlushMs: settings.get(all.DLQ_FLUSH),
    deadLetterPolicy: settings.get(all.DLQ_POLICY),
    deadLetterRetainMs: retainMs === 0 ? null : retainMs,
  };
}
