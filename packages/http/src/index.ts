export { type AccessEntry, type AccessLog, type AccessLogOptions, combinedLine, openAccessLog } from './access-log.ts';
export {
  type HttpServer,
  type HttpServerOptions,
  startHttpServer,
  type TlsIdentity,
} from './adapters/start-http-server.ts';
export { CancelSource, type ClientGone } from './client-gone.ts';
export { createHttpHandler, DEFAULT_CONTENT_BYTES_MAX, type HttpHandlerOptions } from './http-handler.ts';
export {
  emptyResponse,
  filteredResponse,
  type HttpHandler,
  type HttpHeaders,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  type RawHttpRequest,
  type RenderedResponse,
  type ResponseBody,
  type ResponseFormat,
  textResponse,
  valueResponse,
} from './http-message.ts';
export { answerTree, isTreeMap, type TreeMap } from './rendering/answer-tree.ts';
export { filterTree } from './rendering/filter-path.ts';
export { type DirectDoor, directDoor } from './routing/direct-door.ts';
export { RequestParameters } from './routing/request-parameters.ts';
export type { ParameterDeclarations, ParameterType, Route } from './routing/route.ts';
