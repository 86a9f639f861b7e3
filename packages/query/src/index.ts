export type { CollapseRequest, InnerHits } from './collapse-request.ts';
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
export { parseQuery, parseQueryBytes } from './parse-query.ts';
export { parseCountRequest, parseSearchRequest } from './parse-search-request.ts';
export { BY_SCORE } from './parse-sort.ts';
export { sourceFilterOfParams } from './parse-source-filter.ts';
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
export type { ShownField } from './shown-fields.ts';
export type { Span } from './span-tree.ts';
