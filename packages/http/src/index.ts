export { answerInProcess, type InProcessRequest } from './adapters/in-process-request.ts';
export {
  type HttpAdapter,
  type HttpConnections,
  type HttpServer,
  type HttpServerOptions,
  openLoopbackServer,
  startHttpServer,
  type TlsIdentity,
} from './adapters/start-http-server.ts';
export { BasicCredentials } from './gate/basic-credentials.ts';
export { type CorsOptions, CorsPolicy } from './gate/cors-policy.ts';
export { HostRule, readAllowedHosts } from './gate/host-rule.ts';
export { type Admission, gatedHandler, RequestGate, type RequestHead } from './gate/request-gate.ts';
export {
  createHttpHandler,
  DEFAULT_CONTENT_BYTES_MAX,
  type HttpHandlerOptions,
  refusedRequest,
} from './handler/http-handler.ts';
export {
  type AccessEntry,
  type AccessLog,
  type AccessLogOptions,
  combinedLine,
  openAccessLog,
} from './logging/access-log.ts';
export {
  answerRequest,
  emptyResponse,
  filteredResponse,
  forwardingHandler,
  type HttpHandler,
  type HttpHeaders,
  type HttpMethod,
  type HttpRequest,
  type HttpResponse,
  type MatchedRequest,
  type RawHttpRequest,
  type RenderedResponse,
  type RequestContent,
  type ResponseBody,
  type ResponseFormat,
  textResponse,
  valueResponse,
} from './message/http-message.ts';
export { type ParameterDeclarations, type ParameterType, withoutEffect } from './parameters/parameter-declaration.ts';
export { RequestParameters } from './parameters/request-parameters.ts';
export { unknownParametersError } from './parameters/unknown-parameters.ts';
export { answerTree, isTreeMap, type TreeMap } from './rendering/answer-tree.ts';
export { filterTree } from './rendering/filter-path.ts';
export { parseRequestTarget, type RequestTarget } from './routing/request-target.ts';
export type { Route } from './routing/route.ts';
