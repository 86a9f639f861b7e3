export { executeClientRequest } from './client/execute-client-request.ts';
export { renderDocument, renderWrite } from './documents/render-documents.ts';
export { registerEnrichStatsHandler } from './enrich/enrich-stats.ts';
export { registerNodeHandlers } from './node-stats/node-stats-handlers.ts';
export type { HttpPort, NodeStatsSource } from './node-stats/node-stats-source.ts';
export { createRestHandler, type RestHandlerOptions, restRoutes } from './rest-routes.ts';
export { registerAsyncSearchHandler } from './search/async/kept-async-search.ts';
export { renderSearch, type SearchRenderOptions } from './search/render-search.ts';
export { SnapshotPolicyRunner } from './snapshot-policies/snapshot-policy-runner.ts';
