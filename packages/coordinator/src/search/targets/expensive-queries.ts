/**
 * What the settings of the cluster forbid searches: queries that look at much more than they match, and values of `_id`.
 */
import type { ClusterService } from '@shoal/membership';
import type { SearchRequest } from '@shoal/query';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';

/** Whether documents can be sorted and aggregated by their ids. */
export function allowsIdValuesOf(cluster: ClusterService): boolean {
  return cluster.settings()['indices.id_field_data.enabled'] !== 'false';
}

/** A request as its shards read it: they refuse what the cluster forbids. */
export function asClusterAllows({ cluster }: CoordinatorContext, request: SearchRequest): SearchRequest {
  const allowsExpensive = cluster.settings()['search.allow_expensive_queries'] !== 'false';
  const allowsIdValues = allowsIdValuesOf(cluster);
  const isAsAllowed = allowsExpensive === request.allowsExpensive && allowsIdValues === request.allowsIdValues;
  return isAsAllowed ? request : { ...request, allowsExpensive, allowsIdValues };
}
