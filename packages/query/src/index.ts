export type { CollapseRequest, InnerHits } from './collapse-request.ts';
export { compareColumnEntries, sortValueForHit } from './compare-columns.ts';
export { filterSourceBytes } from './filter-source.ts';
export type {
  BoostMode,
  DecayCurve,
  DecayFunction,
  FieldValueFunction,
  RandomFunction,
  ScoreMode,
  ValueMode,
  ValueModifier,
  WeighedFunction,
} from './function-score-tree.ts';
export type {
  BoundaryScanner,
  HighlighterType,
  HighlightField,
  HighlightOptions,
  HighlightRequest,
} from './highlight-request.ts';
export type {
  IntervalFilter,
  IntervalFuzzy,
  IntervalMatch,
  IntervalPattern,
  IntervalRelation,
  IntervalSource,
} from './interval-tree.ts';
export { joinColumns } from './join-columns.ts';
export { namedQueries } from './named-queries.ts';
export {
  parseBooleanText,
  parseTimeout,
  readBoolean,
  readInteger,
  readNumber,
  readScalar,
  readString,
} from './node-reading.ts';
export {
  KIND_CREATE,
  KIND_CREATE_AUTO_ID,
  KIND_DELETE,
  KIND_INDEX,
  KIND_INDEX_AUTO_ID,
  KIND_UPDATE,
  NO_CONDITIONS,
  writeExtras,
} from './operation-kinds.ts';
export { type ByteRange, OperationPacker, PackedOperations, packOperations } from './packed-operations.ts';
export { FAILED_WORD, PackedResults, RESULT_WORDS, type ResultColumns } from './packed-results.ts';
export { parseQuery, parseQueryBytes } from './parse-query.ts';
export { parseCountRequest, parseSearchRequest } from './parse-search-request.ts';
export { BY_SCORE } from './parse-sort.ts';
export { sourceFilterOfParams } from './parse-source-filter.ts';
export { plainPattern } from './parse-term-level-query.ts';
export { pickColumns, stringColumn } from './pick-columns.ts';
export {
  type BoolQuery,
  type BoostedField,
  type BoostingQuery,
  type ConstantScoreQuery,
  type DisMaxQuery,
  type DistanceFeatureQuery,
  type ExistsQuery,
  type FullTextOptions,
  type FunctionScoreQuery,
  type FuzzyQuery,
  type IdsQuery,
  type IntervalsQuery,
  MATCH_ALL,
  type MatchAllQuery,
  type MatchNoneQuery,
  type MatchPhraseQuery,
  type MatchQuery,
  type MultiMatchQuery,
  type MultiMatchType,
  type Operator,
  type PatternQuery,
  type Query,
  type QueryStringQuery,
  type QueryValue,
  type RangeQuery,
  type RegexpOperators,
  type SpanQuery,
  type TermQuery,
  type TermsQuery,
} from './query-tree.ts';
export type {
  RankAnswer,
  RankAsk,
  RankEntries,
  RankedQueryResult,
  RankPivot,
  RankRound,
  RankRoundRequest,
} from './rank-paging.ts';
export { ALL_REGEXP_OPERATORS, REGEXP_STATES_DEFAULT } from './regexp-flags.ts';
export type { Rescore, RescoreMode } from './rescore-request.ts';
export { searchIdentity } from './search-identity.ts';
export type {
  CountRequest,
  IndexBoost,
  PointInTimeChoice,
  RequestInput,
  SearchRequest,
  Slice,
  SortField,
  SortMode,
  SortOrder,
  SourceFilter,
} from './search-request.ts';
export type {
  DoneWord,
  FetchShardRequest,
  GetRequest,
  NextEntriesRequest,
  OperationList,
  QueryShardRequest,
  ShardId,
  WriteConditions,
  WriteOperation,
  WriteOutcome,
  WriteResult,
} from './shard-operations.ts';
export type {
  FetchedHit,
  HitExplanation,
  ScrolledResult,
  ShardQueryResult,
  SortColumn,
  TotalHits,
} from './shard-results.ts';
export type { ShownField } from './shown-fields.ts';
export { sliceColumns } from './slice-columns.ts';
export type { Span } from './span-tree.ts';
export { type FieldCounts, type TermCounts, TermStatisticsTable } from './term-statistics.ts';
export { valuesAtPath } from './values-at-path.ts';
