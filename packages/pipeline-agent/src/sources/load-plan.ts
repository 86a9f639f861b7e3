/**
 * From the source of a pipeline to its plan: text parsed, plugins found, options checked. The same in every thread.
 */

import {
  type AttributeNode,
  type ConfigTree,
  compilePipeline,
  type PipelinePlan,
  parseConfig,
  type StatementNode,
  type TextPattern,
} from '@shoal/agent-config';
import { Timestamp } from '@shoal/agent-event';
import type { PluginKind } from '@shoal/agent-plugin-kit';
import { GuardedRegex } from '@shoal/ruby-regex';
import type { Clock } from '@shoal/runtime';
import { PluginRegistry } from '../registry/plugin-registry.ts';
import { loadUserPlugin, type WantedPlugin } from '../registry/user-plugins.ts';
import type { ConfigText, PipelineSource } from './pipeline-source.ts';

/** The name that a text from the command line has. */
const CONFIG_STRING_NAME = 'config.string';

/**
 * @param clock what `%{{TIME_NOW}}` reads
 * @throws ConfigError with every problem of the configuration
 */
export async function loadPlan(source: PipelineSource, clock: Clock): Promise<PipelinePlan> {
  const tree = loadTree(source);
  const plugins = await loadPlugins(tree, source.pluginPaths);
  return compilePipeline(tree, {
    plugins,
    compileRegex: compileConditionRegex,
    variables: (name) => (Object.hasOwn(source.environment, name) ? source.environment[name] : undefined),
    supportEscapes: source.settings.supportEscapes,
    escapeStyle: source.settings.escapeStyle,
    now: () => new Timestamp(clock.wallMs()),
  });
}

/** What `loadPlan` compiles: for who wants to know where things stand. */
export function loadTree(source: PipelineSource): ConfigTree {
  return parseConfig(withDefaults(source.texts));
}

/** What may run away is ended after a while, and worth a warning. */
function compileConditionRegex(text: string): TextPattern {
  const regex = new GuardedRegex(text);
  const [blowUp] = regex.blowUps;
  if (blowUp === undefined) return regex;
  const warning = `this pattern can take exponential time: in ${blowUp.part}, ${blowUp.reason}`;
  return { test: (value) => regex.test(value), warning };
}

/** A text from the command line without inputs reads stdin, one without outputs prints what comes. */
function withDefaults(texts: readonly ConfigText[]): readonly ConfigText[] {
  if (texts.some(({ name }) => name !== CONFIG_STRING_NAME)) return texts;
  const { sections } = parseConfig(texts);
  const has = (name: string): boolean => sections.some((section) => section.name === name);
  const more: ConfigText[] = [];
  if (!has('input')) more.push({ name: 'default input', text: 'input { stdin { } }' });
  if (!has('output')) more.push({ name: 'default output', text: 'output { stdout { codec => rubydebug } }' });
  return [...texts, ...more];
}

/** Only what the configuration names is loaded. */
async function loadPlugins(tree: ConfigTree, folders: readonly string[]): Promise<PluginRegistry> {
  const plugins = new PluginRegistry();
  for (const wanted of wantedPlugins(tree)) {
    if ((await plugins.load(wanted.kind, wanted.name)) !== undefined) continue;
    // The compiler says it better when there is none: with the position, and the nearest names.
    const definition = await loadUserPlugin(wanted, folders);
    if (definition !== null) plugins.add(definition);
  }
  return plugins;
}

const PLUGIN_NAME = /^[a-z0-9_-]{1,100}$/;

function wantedCodec({ name, value }: AttributeNode): readonly WantedPlugin[] {
  if (name.text !== 'codec' || value.kind === 'array' || value.kind === 'hash' || value.kind === 'number') return [];
  const codec = value.kind === 'plugin' ? value.name.text : value.text;
  return PLUGIN_NAME.test(codec) ? [{ kind: 'codec', name: codec }] : [];
}

function wantedPlugins(tree: ConfigTree): readonly WantedPlugin[] {
  const wanted: WantedPlugin[] = [];
  const visit = (kind: PluginKind, nodes: readonly StatementNode[]): void => {
    for (const node of nodes) {
      if (node.kind === 'branch') {
        for (const arm of node.arms) visit(kind, arm.body);
        visit(kind, node.otherwise ?? []);
        continue;
      }
      if (PLUGIN_NAME.test(node.name.text)) wanted.push({ kind, name: node.name.text });
      wanted.push(...node.attributes.flatMap(wantedCodec));
    }
  };
  for (const section of tree.sections) visit(section.name, section.body);
  return wanted;
}
