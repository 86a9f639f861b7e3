/** What the user is told of a template that is put. */
import type { ClusterState, IndexTemplate, Templates } from '@shoal/cluster-state';
import { doOverlap, listedPatterns } from './name-patterns.ts';
import type { TemplateChange } from './put-template.ts';
import { parseIndexTemplate, parseLegacyTemplate } from './template-body.ts';
import { layersOfIndexTemplate } from './template-layers.ts';

const PIPELINE_SETTINGS = ['index.default_pipeline', 'index.final_pipeline'];

/** @throws what is wrong with its body */
export function templateWarnings(state: ClusterState, { kind, name, body }: TemplateChange): readonly string[] {
  const { templates } = state.metadata;
  if (kind === 'index') {
    const template = parseIndexTemplate(name, body);
    return [...warningsOfOlder(templates, template), ...warningsOfDeprecated(state, template)];
  }
  if (kind === 'legacy') return warningsOfNewer(templates, name, parseLegacyTemplate(name, body).indexPatterns);
  return [];
}

function warningsOfOlder(templates: Templates, { name, indexPatterns }: IndexTemplate): readonly string[] {
  const older = [...templates.legacy.values()].filter((legacy) => doOverlap(legacy.indexPatterns, indexPatterns));
  if (older.length === 0) return [];
  return [
    `index template [${name}] has index patterns [${indexPatterns.join(', ')}] matching patterns from existing older templates ${listedPatterns(older)}; this template [${name}] will take precedence during new index creation`,
  ];
}

function warningsOfNewer(templates: Templates, name: string, patterns: readonly string[]): readonly string[] {
  const newer = [...templates.index.values()].filter(({ indexPatterns }) => doOverlap(indexPatterns, patterns));
  if (newer.length === 0) return [];
  return [
    `legacy template [${name}] has index patterns [${patterns.join(', ')}] matching patterns from existing composable templates ${listedPatterns(newer)}; this template [${name}] may be ignored in favor of a composable template at index creation time`,
  ];
}

function warningsOfDeprecated({ metadata }: ClusterState, template: IndexTemplate): readonly string[] {
  const { templates, ingestPipelines } = metadata;
  const components = template.composedOf.filter((name) => templates.component.get(name)?.isDeprecated === true);
  const { settings } = layersOfIndexTemplate(templates, template);
  const pipelines = PIPELINE_SETTINGS.map((setting) => settings[setting] ?? '').filter((id) => {
    const config = ingestPipelines.get(id)?.config;
    return config !== undefined && JSON.parse(config).deprecated === true;
  });
  return [
    ...components.map((name) => `index template [${template.name}] uses deprecated component template [${name}]`),
    ...pipelines.map((id) => `index template [${template.name}] uses deprecated ingest pipeline [${id}]`),
  ];
}
