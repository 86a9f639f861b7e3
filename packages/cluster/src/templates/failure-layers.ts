/**
 * What every failure index of a data stream is made of: the settings of the template of its stream, and a mapping of its own, in which
 * no document can fail.
 */
import type { IndexTemplate, Templates } from '@shoal/cluster-state';
import { layersOfIndexTemplate, type TemplateLayers } from './template-layers.ts';

const KEYWORD = { type: 'keyword' };

/** `document.source` is not mapped: whatever it holds can be kept. */
const FAILURE_MAPPING = {
  dynamic: false,
  _routing: { required: false },
  properties: {
    '@timestamp': { type: 'date', ignore_malformed: false },
    document: { properties: { id: KEYWORD, routing: KEYWORD, index: KEYWORD } },
    error: {
      properties: {
        message: { type: 'match_only_text' },
        stack_trace: { type: 'text' },
        type: KEYWORD,
        pipeline: KEYWORD,
        pipeline_trace: KEYWORD,
        processor_tag: KEYWORD,
        processor_type: KEYWORD,
      },
    },
  },
};

/** A failed document goes through no pipeline a second time. */
export const PIPELINE_SETTINGS: readonly string[] = ['index.default_pipeline', 'index.final_pipeline'];
/** Beginning of the settings that sort by fields of the documents of the stream, which failed documents lack. */
const SORT_SETTINGS = 'index.sort.';

export function layersOfFailureIndex(templates: Templates, template: IndexTemplate): TemplateLayers {
  const layers = layersOfIndexTemplate(templates, template);
  const kept = Object.entries(layers.settings).filter(
    ([name]) => !PIPELINE_SETTINGS.includes(name) && !name.startsWith(SORT_SETTINGS),
  );
  const settings = { ...Object.fromEntries(kept), 'index.hidden': 'true' };
  return { ...layers, settings, mappings: FAILURE_MAPPING, aliases: new Map() };
}
