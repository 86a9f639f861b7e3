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
  IntervalFilter,
  IntervalFuzzy,
  IntervalMatch,
  IntervalPattern,
  IntervalRelation,
  IntervalSource,
} from './interval-tree.ts';
export { ALL_REGEXP_OPERATORS, REGEXP_STATES_DEFAULT } from './members/regexp-flags.ts';
export {
  parseBooleanText,
  parseTimeout,
  readBoolean,
  readInteger,
  readNumber,
  readScalar,
  readString,
} from './members/request-values.ts';
export { namedQueries } from './named-queries.ts';
export { parseQuery, parseQueryBytes } from './parse-query.ts';
export { plainPattern } from './parse-term-level-query.ts';
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
export type { CollapseRequest, InnerHits } from './search/collapse-request.ts';
export type {
  BoundaryScanner,
  HighlighterType,
  HighlightField,
  HighlightOptions,
  HighlightRequest,
} from './search/highlight-request.ts';
export { parseCountRequest, parseSearchRequest } from './search/parse-search-request.ts';
export { BY_SCORE } from './search/parse-sort.ts';
export { sourceFilterOfParams } from './search/parse-source-filter.ts';
export type { Rescore, RescoreMode } from './search/rescore-request.ts';
export { searchIdentity } from './search/search-identity.ts';
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
} from './search/search-request.ts';
export type { ShownField } from './search/shown-fields.ts';
export type { Span } from './span-tree.ts';
