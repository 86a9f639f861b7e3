/**
 * `_cat/repositories`: the repositories that snapshots lie in.
 */
import type { RestApi } from '../api/rest-api.ts';
import { readState } from '../request/managed-state.ts';
import { catApi } from './table/cat-api.ts';
import { type CatColumn, column } from './table/cat-table.ts';

const COLUMNS: readonly CatColumn[] = [
  column('id', 'id,repoId', 'unique repository id'),
  column('type', 't,type', 'repository type'),
];

export const catRepositoriesApi: RestApi = catApi({
  usageName: 'cat_repositories_action',
  paths: ['/_cat/repositories'],
  privilege: 'cluster:admin/repository/get',
  columns: COLUMNS,
  params: {},
  table: async (request, context) => {
    const { repositories } = (await readState(request, context)).metadata;
    return { columns: COLUMNS, rows: [...repositories.values()].map(({ name, type }) => [name, type]) };
  },
});
