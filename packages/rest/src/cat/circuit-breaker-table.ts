/**
 * `_cat/circuit_breaker`: one row for each circuit breaker of each node. A node that did not answer has none to show.
 */
import { askNodes, type CoordinatorContext } from '@shoal/coordinator';
import { matchesAny } from '@shoal/core';
import type { HttpRequest } from '@shoal/http';
import { NODE_STATS } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { isTree, numberAt } from '../bodies/stats-tree.ts';
import { readState } from '../request/managed-state.ts';
import { catApi } from './table/cat-api.ts';
import { type CatCell, type CatColumn, type CatTable, column } from './table/cat-table.ts';
import { bytesCell } from './table/stat-columns.ts';

const COLUMNS: readonly CatColumn[] = [
  column('node_id', 'id', 'id of the node'),
  column('node_name', 'nn', 'name of the node', ['hidden']),
  column('breaker', 'br', 'name of the circuit breaker'),
  column('limit', 'l', 'most memory that it lets pass'),
  column('limit_bytes', 'lb', 'most memory that it lets pass, in bytes', ['hidden']),
  column('estimated', 'e', 'memory that it counts now'),
  column('estimated_bytes', 'eb', 'memory that it counts now, in bytes', ['hidden']),
  column('tripped', 't', 'requests that it refused'),
  column('overhead', 'o', 'factor by which it raises what it counts', ['hidden']),
];

export const catCircuitBreakerApi: RestApi = catApi({
  usageName: 'cat_circuitbreaker_action',
  paths: ['/_cat/circuit_breaker', '/_cat/circuit_breaker/{circuit_breaker_patterns}'],
  privilege: 'cluster:monitor/nodes/stats',
  columns: COLUMNS,
  table: circuitBreakers,
});

async function circuitBreakers(request: HttpRequest, context: CoordinatorContext): Promise<CatTable> {
  const state = await readState(request, context);
  const nodes = [...state.nodes.values()];
  const { answers } = await askNodes(context, nodes, NODE_STATS, () => ({}));
  const patterns = request.params.list('circuit_breaker_patterns');
  const rows = nodes.flatMap(({ id, name }) => {
    const breakers = answers.get(id)?.stats.breakers;
    if (!isTree(breakers)) return [];
    const wanted = Object.entries(breakers).filter(
      ([breaker]) => patterns.length === 0 || matchesAny(patterns, breaker),
    );
    return wanted.map(([breaker, stats]) => [id, name, breaker, ...numbers(stats)]);
  });
  return { columns: COLUMNS, rows };
}

function numbers(stats: unknown): readonly CatCell[] {
  const tree = isTree(stats) ? stats : {};
  const limit = numberAt(tree, 'limit_size_in_bytes') ?? 0;
  const estimated = numberAt(tree, 'estimated_size_in_bytes') ?? 0;
  return [
    bytesCell(limit),
    limit,
    bytesCell(estimated),
    estimated,
    numberAt(tree, 'tripped'),
    numberAt(tree, 'overhead'),
  ];
}
