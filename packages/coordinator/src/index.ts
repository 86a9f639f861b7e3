export { type CountInput, type CountOutcome, executeCount } from './actions/execute-count.ts';
export {
  type DocumentKey,
  type DocumentOutcome,
  executeGet,
  executeMultiGet,
  type GetOptions,
} from './actions/execute-get.ts';
export {
  DEFAULT_CONCURRENT_SHARD_REQUESTS,
  executeSearch,
  type SearchInput,
  type SearchOutcome,
} from './actions/execute-search.ts';
export { executeClientRequest } from './client-requests.ts';
export {
  type CoordinatorContext,
  type CoordinatorSettings,
  createCoordinatorContext,
  DEFAULT_COORDINATOR_SETTINGS,
} from './coordinator-context.ts';
export { renderDocument, renderWrite } from './documents/render-documents.ts';
export { type IndicesOptions, METADATA_INDICES_OPTIONS, READ_INDICES_OPTIONS } from './indices/indices-options.ts';
export { type ResolvedIndex, resolveIndexNames, resolveIndices } from './indices/resolve-indices.ts';
export { type HeldWrites, type NodeSelf, registerNodeHandlers } from './node-self/node-handlers.ts';
export {
  type CoordinatorHandlerOptions,
  coordinatorRoutes,
  createCoordinatorHandler,
} from './routes/coordinator-routes.ts';
export type { SearchHit } from './search/gathered-results.ts';
export { renderSearch, type SearchRenderOptions } from './search/render-search.ts';
export { renderShardCounts, type ShardCounts, type ShardFailure } from './search/search-failures.ts';
export { registerTaskHandlers } from './tasks/task-handlers.ts';
