export { MustacheError } from './mustache-error.ts';
export { type MustachePart, parseMustache, shownPlace, type TagPlace } from './parse-mustache.ts';
export { type MustacheValues, renderMustache } from './render-mustache.ts';
export { urlEncoded } from './url-encoded.ts';
