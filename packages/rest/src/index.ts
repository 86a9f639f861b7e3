export { executeClientRequest } from './client/execute-client-request.ts';
export { renderDocument, renderWrite } from './documents/render-documents.ts';
export { type NodeSelf, registerNodeHandlers } from './node-stats/node-stats-handlers.ts';
export { createRestHandler, type RestHandlerOptions, restRoutes } from './rest-routes.ts';
export { renderSearch, type SearchRenderOptions } from './search/render-search.ts';
