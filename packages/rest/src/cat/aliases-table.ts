/**
 * `_cat/aliases`: one row for each alias of each index.
 */
import { checkIndexBlocks } from '@shoal/cluster';
import type { IndexMetadata } from '@shoal/cluster-state';
import {
  type CoordinatorContext,
  type IndicesOptions,
  METADATA_INDICES_OPTIONS,
  resolveIndices,
} from '@shoal/coordinator';
import type { HttpRequest } from '@shoal/http';
import type { RestApi } from '../api/rest-api.ts';
import { matchingAliases } from '../indices/aliases/alias-body.ts';
import { INDICES_OPTIONS_PARAMETERS, indicesOptionsOf } from '../request/indices-options-parameters.ts';
import { readState } from '../request/managed-state.ts';
import { catApi } from './table/cat-api.ts';
import { type CatCell, type CatColumn, type CatTable, column } from './table/cat-table.ts';

const EVERY_INDEX: IndicesOptions = { ...METADATA_INDICES_OPTIONS, expandsToHidden: true };
/** Cell of a value that does not exist. */
const NOTHING = '-';

const COLUMNS: readonly CatColumn[] = [
  column('alias', 'a', 'alias name'),
  column('index', 'i,idx', 'index that the alias points to'),
  column('filter', 'f,fi', '* when the alias has a filter'),
  column('routing.index', 'ri,routingIndex', 'routing of writes'),
  column('routing.search', 'rs,routingSearch', 'routing of searches'),
  column('is_write_index', 'w,isWriteIndex', 'whether writes to the alias go here'),
];

export const catAliasesApi: RestApi = catApi({
  usageName: 'cat_alias_action',
  paths: ['/_cat/aliases', '/_cat/aliases/{name}'],
  privilege: 'indices:admin/aliases/get',
  columns: COLUMNS,
  params: INDICES_OPTIONS_PARAMETERS,
  table: aliases,
});

async function aliases(request: HttpRequest, context: CoordinatorContext): Promise<CatTable> {
  const state = await readState(request, context);
  const options = indicesOptionsOf(request.params, EVERY_INDEX);
  const found = resolveIndices(state, null, options, context.runtime.clock.wallMs());
  checkIndexBlocks(
    state,
    'metadata_read',
    found.map(({ index }) => index.name),
  );
  return aliasesTable(
    found.map(({ index }) => index),
    request.params.list('name'),
  );
}

/** @param names aliases wanted, wildcards allowed; empty: all */
export function aliasesTable(indices: readonly IndexMetadata[], names: readonly string[]): CatTable {
  const rows = indices.flatMap((index) => {
    const aliases = names.length === 0 ? [...index.aliases.values()] : matchingAliases(index, names);
    return aliases.map((alias): readonly CatCell[] => [
      alias.name,
      index.name,
      alias.filter === null ? NOTHING : '*',
      alias.indexRouting ?? NOTHING,
      alias.searchRouting ?? NOTHING,
      alias.isWriteIndex === null ? NOTHING : String(alias.isWriteIndex),
    ]);
  });
  return { columns: COLUMNS, rows };
}
