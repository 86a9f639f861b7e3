/**
 * `_cat/fielddata`: one row for each field of each node that holds memory beside its segments.
 */
import { askNodes, type CoordinatorContext } from '@shoal/coordinator';
import { matchesAny } from '@shoal/core';
import type { HttpRequest } from '@shoal/http';
import { SHARD_STATS } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { fielddataByField, sumShardStats } from '../bodies/shard-stats-body.ts';
import { readState } from '../request/managed-state.ts';
import { catApi } from './table/cat-api.ts';
import { type CatTable, column } from './table/cat-table.ts';
import { bytesCell } from './table/stat-columns.ts';

const COLUMNS = [
  column('id', '', 'id of the node'),
  column('host', 'h', 'host of the node'),
  column('ip', '', 'address of the node'),
  column('node', 'n', 'name of the node'),
  column('field', 'f', 'name of the field'),
  column('size', 's', 'memory that the field holds', ['right']),
];

export const catFielddataApi: RestApi = catApi({
  usageName: 'cat_fielddata_action',
  paths: ['/_cat/fielddata', '/_cat/fielddata/{fields}'],
  privilege: 'cluster:monitor/nodes/stats',
  columns: COLUMNS,
  params: { fields: 'list' },
  table: fielddata,
});

async function fielddata(request: HttpRequest, context: CoordinatorContext): Promise<CatTable> {
  const state = await readState(request, context);
  const nodes = [...state.nodes.values()].filter((node) => node.roles.includes('data'));
  const { answers } = await askNodes(context, nodes, SHARD_STATS, () => ({ indices: null }));
  const patterns = request.params.list('fields');
  const rows = nodes.flatMap((node) => {
    const { id, address, name } = node;
    const held = fielddataByField(sumShardStats((answers.get(id)?.shards ?? []).map(({ stats }) => stats)));
    return [...held]
      .filter(([field]) => patterns.length === 0 || matchesAny(patterns, field))
      .map(([field, bytes]) => [id, address.host, address.host, name, field, bytesCell(bytes)]);
  });
  return { columns: COLUMNS, rows };
}
