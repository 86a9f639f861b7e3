/**
 * Whether the cluster allows queries that look at much more than they match.
 */
import { clusterSettings } from '@shoal/cluster';
import type { SearchRequest } from '@shoal/query';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';

/** A request as its shards read it: they refuse what the cluster forbids. */
export function asClusterAllows({ cluster }: CoordinatorContext, request: SearchRequest): SearchRequest {
  const allowsExpensive = clusterSettings(cluster.state())['search.allow_expensive_queries'] !== 'false';
  return allowsExpensive === request.allowsExpensive ? request : { ...request, allowsExpensive };
}
