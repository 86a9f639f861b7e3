/** `_ingest/processor/grok`: the patterns that every `grok` processor may use. */
import { strictPatterns } from '@shoal/extraction';
import { valueResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';

export const grokPatternsApi: RestApi = {
  usageName: 'ingest_processor_grok_get',
  methods: ['GET'],
  paths: ['/_ingest/processor/grok'],
  privilege: 'cluster:admin/ingest/processor/grok/get',
  task: null,
  params: { s: 'boolean' },
  handler: async ({ params }) => {
    const patterns = [...strictPatterns()];
    if (params.boolean('s', false)) patterns.sort(([a], [b]) => (a < b ? -1 : 1));
    return valueResponse({ patterns: new Map(patterns) });
  },
};
