/**
 * The index template of the data streams that keep the events of analytics collections.
 */
import type { JsonObject } from '../request/json-body.ts';

const KEYWORD = { type: 'keyword', ignore_above: 1_024 };
const TEXT = { type: 'text', fields: { keyword: KEYWORD } };

const DOCUMENT = { properties: { id: KEYWORD, index: KEYWORD } };
const PAGE = { properties: { url: KEYWORD, title: TEXT, referrer: KEYWORD } };

export const STREAM_PREFIX = 'behavioral_analytics-events-';
export const TEMPLATE_NAME = 'behavioral_analytics-events-default';
export const TEMPLATE: JsonObject = {
  index_patterns: [`${STREAM_PREFIX}*`],
  priority: 100,
  data_stream: {},
  template: {
    // Events of half a year tell what people look for.
    lifecycle: { data_retention: '180d' },
    settings: { index: { codec: 'best_compression', number_of_shards: 1, auto_expand_replicas: '0-1' } },
    mappings: {
      dynamic: false,
      properties: {
        '@timestamp': { type: 'date' },
        event: { properties: { action: KEYWORD } },
        data_stream: {
          properties: {
            type: { type: 'constant_keyword', value: 'behavioral_analytics' },
            dataset: { type: 'constant_keyword', value: 'events' },
            namespace: { type: 'constant_keyword' },
          },
        },
        session: { properties: { id: KEYWORD } },
        user: { properties: { id: KEYWORD } },
        document: DOCUMENT,
        page: PAGE,
        search: {
          properties: {
            query: TEXT,
            search_application: KEYWORD,
            filters: { type: 'flattened' },
            sort: { properties: { name: KEYWORD, direction: KEYWORD } },
            page: { properties: { current: { type: 'integer' }, size: { type: 'integer' } } },
            results: {
              properties: {
                total_results: { type: 'integer' },
                items: { properties: { document: DOCUMENT, page: PAGE } },
              },
            },
          },
        },
      },
    },
  },
  _meta: { description: 'events of analytics collections', managed: true },
};
