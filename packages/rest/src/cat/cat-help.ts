/**
 * `GET /_cat`: the paths of all tables.
 */
import { textResponse } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';

/** @param tables in the order in which their paths are listed */
export function catHelpApi(tables: readonly RestApi[]): RestApi {
  const page = ['=^.^=', ...tables.flatMap((table) => table.paths)].map((line) => `${line}\n`).join('');
  return {
    usageName: 'cat_action',
    methods: ['GET'],
    paths: ['/_cat'],
    privilege: 'cluster:monitor/main',
    task: null,
    handler: async () => textResponse(page),
  };
}
