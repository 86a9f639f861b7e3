export type { AnswersOf } from './aggregation-answers.ts';
export type {
  BulkAnswer,
  BulkOperation,
  BulkOptions,
  GetAnswer,
  GetOptions,
  IndexOptions,
  UpdateBody,
  UpdateOptions,
  WriteAnswer,
  WriteOptions,
} from './document-requests.ts';
export type {
  CompletionValue,
  GeoPointValue,
  HistogramValue,
  JoinValue,
  OneOrMore,
  PointValue,
  RangeValue,
  ShapeValue,
} from './document-values.ts';
export type { Hit, Hits, ShardCounts } from './hits.ts';
export type { ClientOptions, FetchInit, NodeToFetch, RequestOptions } from './http-channel.ts';
export {
  type CountAnswer,
  IndexClient,
  type ListedAnswer,
  type ListedSearch,
  type SearchOptions,
} from './index-client.ts';
export type { AnyIndex, IndexSchema } from './index-schema.ts';
export { ResponseError } from './response-error.ts';
export type { SearchAnswer } from './search-answer.ts';
export { type AnyRequest, SearchClient } from './search-client.ts';
export type { Highlight, Sort, SourceFilter } from './search-parts.ts';
export type { SearchMembers, SearchRequest } from './search-request.ts';
export type { Aggregation, Aggregations } from './typed-aggregations.ts';
export type { Query } from './typed-query.ts';
