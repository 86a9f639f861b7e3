/**
 * From the source of a pipeline to its plan: text parsed, plugins found, options checked. The same in every thread.
 */
import { compilePipeline } from '../config/compile-pipeline.ts';
import type { ConfigTree, StatementNode } from '../config/config-tree.ts';
import { parseConfig } from '../config/parse-config.ts';
import type { PipelinePlan } from '../config/pipeline-plan.ts';
import { compileRubyRegex } from '../grok/ruby-regex.ts';
import type { PluginDefinition, PluginKind } from '../plugin/plugin-definition.ts';
import { PluginRegistry } from '../plugin/plugin-registry.ts';
import { loadUserPlugin, type WantedPlugin } from '../plugin/user-plugins.ts';
import type { ConfigText, PipelineSource } from './pipeline-source.ts';

/** The name that a text from the command line has. */
const CONFIG_STRING_NAME = 'config.string';

/** @throws ConfigError with every problem of the configuration */
export async function loadPlan(source: PipelineSource): Promise<PipelinePlan> {
  const tree = parseConfig(withDefaults(source.texts));
  const plugins = new PluginRegistry(await userPlugins(tree, source.pluginPaths));
  return compilePipeline(tree, {
    plugins,
    compileRegex: (text) => compileRubyRegex(text),
    variables: (name) => (Object.hasOwn(source.environment, name) ? source.environment[name] : undefined),
    supportEscapes: source.settings.supportEscapes,
  });
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

async function userPlugins(tree: ConfigTree, folders: readonly string[]): Promise<readonly PluginDefinition[]> {
  const known = new PluginRegistry();
  const found = new Map<string, PluginDefinition>();
  for (const wanted of wantedPlugins(tree)) {
    const key = `${wanted.kind} ${wanted.name}`;
    if (known.find(wanted.kind, wanted.name) !== undefined || found.has(key)) continue;
    // The compiler says it better when there is none: with the place, and the nearest names.
    const definition = await loadUserPlugin(wanted, folders);
    if (definition !== null) found.set(key, definition);
  }
  return [...found.values()];
}

const PLUGIN_NAME = /^[a-z0-9_-]{1,100}$/;

function wantedPlugins(tree: ConfigTree): readonly WantedPlugin[] {
  const wanted: WantedPlugin[] = [];
  const visit = (kind: PluginKind, nodes: readonly StatementNode[]): void => {
    for (const node of nodes) {
      if (node.kind === 'branch') {
        for (const arm of node.arms) visit(kind, arm.body);
        visit(kind, node.otherwise ?? []);
      } else if (node.name.kind === 'bareword' && PLUGIN_NAME.test(node.name.text)) {
        wanted.push({ kind, name: node.name.text });
      }
    }
  };
  for (const section of tree.sections) visit(section.name, section.body);
  return wanted;
}
