/**
 * `_cat/nodeattrs`: one row for each attribute of each node.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { askNodes, type CoordinatorContext } from '@shoal/coordinator';
import type { HttpRequest } from '@shoal/http';
import { NODE_INFO } from '@shoal/protocol';
import type { RestApi } from '../api/rest-api.ts';
import { numberAt } from '../bodies/stats-tree.ts';
import { readState } from '../request/managed-state.ts';
import { catApi } from './table/cat-api.ts';
import { type CatCell, type CatColumn, type CatTable, column } from './table/cat-table.ts';

const COLUMNS: readonly CatColumn[] = [
  column('node', '', 'name of the node'),
  column('id', 'id,nodeId', 'node id', ['hidden']),
  column('pid', 'p', 'process id', ['hidden']),
  column('host', 'h', 'host of the node'),
  column('ip', 'i', 'address of the node'),
  column('port', 'po', 'port of the transport', ['hidden']),
  column('attr', 'attr.name', 'name of the attribute'),
  column('value', 'attr.value', 'value of the attribute'),
];

export const catNodeAttributesApi: RestApi = catApi({
  usageName: 'cat_node_attrs_action',
  paths: ['/_cat/nodeattrs'],
  privilege: 'cluster:monitor/nodes/info',
  columns: COLUMNS,
  table: nodeAttributes,
});

async function nodeAttributes(request: HttpRequest, context: CoordinatorContext): Promise<CatTable> {
  const state = await readState(request, context);
  const all = [...state.nodes.values()].filter((node) => Object.keys(node.attributes).length > 0);
  const info = await askNodes(context, all, NODE_INFO, () => ({}));
  return nodeAttributesTable(all, (node) => numberAt(info.answers.get(node.id)?.info ?? {}, 'process.id'));
}

/** @param pidOf null for a node that did not answer */
function nodeAttributesTable(nodes: readonly DiscoveryNode[], pidOf: (node: DiscoveryNode) => number | null): CatTable {
  const rows = nodes.flatMap((node) => {
    const { host, port } = node.address;
    return Object.entries(node.attributes).map(([name, value]): readonly CatCell[] => [
      node.name,
      node.id,
      pidOf(node),
      host,
      host,
      port,
      name,
      value,
    ]);
  });
  return { columns: COLUMNS, rows };
}
