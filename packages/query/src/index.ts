export type { GeoSort } from './hits/geo-sort.ts';
export type {
  BoundaryScanner,
  HighlighterType,
  HighlightField,
  HighlightOptions,
  HighlightRequest,
} from './hits/highlight-request.ts';
export { type HitOptions, type SourceFilter, WHOLE_SOURCE } from './hits/hit-options.ts';
export type { InnerHits } from './hits/inner-hits.ts';
export type { NestedSort } from './hits/nested-sort.ts';
export { BY_SCORE } from './hits/parse-sort.ts';
export { sourceFilterOfParams } from './hits/parse-source-filter.ts';
export type { ScriptField } from './hits/script-fields.ts';
export type { ShownField } from './hits/shown-fields.ts';
export type { SortField, SortMode, SortOrder } from './hits/sort-field.ts';
export type { BoolQuery } from './kinds/bool/bool.ts';
export type { BoostingQuery } from './kinds/boosting/boosting.ts';
export type { CombinedFieldsQuery } from './kinds/combined-fields/combined-fields.ts';
export type { CommonQuery } from './kinds/common-terms/common-terms.ts';
export type { ConstantScoreQuery } from './kinds/constant-score/constant-score.ts';
export type { DisMaxQuery } from './kinds/dis-max/dis-max.ts';
export type { DistanceFeatureQuery } from './kinds/distance-feature/distance-feature.ts';
export type { ExistsQuery } from './kinds/exists/exists.ts';
export type {
  BoostMode,
  FunctionScoreQuery,
  ScoreMode,
  WeighedFunction,
} from './kinds/function-score/function-score-tree.ts';
export type { DecayCurve, DecayFunction, ValueMode } from './kinds/function-score/functions/decay.ts';
export type { FieldValueFunction, ValueModifier } from './kinds/function-score/functions/field-value.ts';
export type { RandomFunction } from './kinds/function-score/functions/random.ts';
export type { FuzzyQuery } from './kinds/fuzzy/fuzzy.ts';
export type { GeoBoundingBoxQuery } from './kinds/geo-bounding-box/geo-bounding-box.ts';
export type { GeoDistanceQuery } from './kinds/geo-distance/geo-distance.ts';
export type { GeoPolygonQuery } from './kinds/geo-polygon/geo-polygon.ts';
export type { GeoShapeQuery, PlaneShapeQuery } from './kinds/geo-shape/geo-shape.ts';
export type { IdsQuery } from './kinds/ids/ids.ts';
export type {
  IntervalFilter,
  IntervalFuzzy,
  IntervalMatch,
  IntervalPattern,
  IntervalRelation,
  IntervalSource,
  IntervalsQuery,
} from './kinds/intervals/interval-tree.ts';
export type { HasChildQuery } from './kinds/join/has-child.ts';
export type { HasParentQuery } from './kinds/join/has-parent.ts';
export type { ParentIdQuery } from './kinds/join/parent-id.ts';
export type { NearnessLimit } from './kinds/knn/field-vector.ts';
export { type FoundNeighbour, type KnnQuery, RANKED_DOCUMENTS } from './kinds/knn/knn.ts';
export { defaultCandidates } from './kinds/knn/vector-members.ts';
export type { MatchQuery } from './kinds/match/match.ts';
export { MATCH_ALL, type MatchAllQuery } from './kinds/match-all/match-all.ts';
export { MATCH_NONE, type MatchNoneQuery } from './kinds/match-none/match-none.ts';
export type { MatchPhraseQuery } from './kinds/match-phrase/match-phrase.ts';
export { FETCHED_TERMS, type LikedDocument, type LikedTerms } from './kinds/more-like-this/liked-document.ts';
export type { MoreLikeThisQuery, WordChoice } from './kinds/more-like-this/more-like-this.ts';
export type { MultiMatchQuery } from './kinds/multi-match/multi-match.ts';
export type { NestedQuery, NestedScoreMode } from './kinds/nested/nested.ts';
export { type PatternQuery, plainPattern } from './kinds/pattern/pattern-query.ts';
export type { PercolateQuery } from './kinds/percolate/percolate.ts';
export type { NamedDocument, PinnedQuery } from './kinds/pinned/pinned.ts';
export type { QueryStringQuery } from './kinds/query-string/query-string.ts';
export type { RangeQuery, RangeRelation } from './kinds/range/range.ts';
export type { RankFeatureQuery } from './kinds/rank-feature/rank-feature.ts';
export { RULESETS_MAX } from './kinds/rule/rule.ts';
export type { ScriptQuery } from './kinds/script/script.ts';
export type { ScriptScoreQuery } from './kinds/script-score/script-score.ts';
export type { SimpleOperators } from './kinds/simple-query-string/simple-operators.ts';
export type { SimpleQueryStringQuery } from './kinds/simple-query-string/simple-query-string.ts';
export type { SpanQuery } from './kinds/span/span.ts';
export type { Span } from './kinds/span/span-tree.ts';
export type { TermQuery } from './kinds/term/term.ts';
export type { TermsQuery } from './kinds/terms/terms.ts';
export type { TermsSetQuery } from './kinds/terms-set/terms-set.ts';
export type { BoostedField } from './members/boosted-fields.ts';
export { readField, unknownField } from './members/content-errors.ts';
export type { FullTextOptions, Operator } from './members/full-text-options.ts';
export { checkBoxSides, readGeoBox } from './members/geo-box-member.ts';
export { type DistanceType, type PointValidation, readDistanceType, readPoint } from './members/geo-options.ts';
export type { MultiMatchType } from './members/multi-match-type.ts';
export type { QueryTextOptions } from './members/query-text-options.ts';
export {
  parseBooleanText,
  parseTimeout,
  readBoolean,
  readInteger,
  readNumber,
  readQueryValue,
  readScalar,
  readString,
} from './members/request-values.ts';
export type { QueryNode, QueryValue } from './node/query-node.ts';
export { namedQueries } from './registry/named-queries.ts';
export { asQuery, innerQueries, parseQuery, parseQueryBytes, type Query, readQuery } from './registry/query.ts';
export type { CollapseRequest, GroupSearch } from './search/collapse-request.ts';
export { NO_TIMEOUT_MS, plainSearch, searchRequest } from './search/default-request.ts';
export type { KnnSearch } from './search/knn-search.ts';
export { parseRuntimeMappings } from './search/parse-runtime-mappings.ts';
export { parseCountRequest, parseSearch, suggestsWithoutQuery } from './search/parse-search-request.ts';
export { readSearchRequest, writeSearchRequest } from './search/read-search-request.ts';
export type { Rescore, RescoreMode } from './search/rescore-request.ts';
export { searchIdentity } from './search/search-identity.ts';
export type {
  FusedPart,
  FusionRule,
  HitForm,
  IndexBoost,
  ParsedSearch,
  PointInTimeChoice,
  RankFusion,
  RequestInput,
  ScoreNormalizer,
  SearchRequest,
  Slice,
} from './search/search-request.ts';
export { parseTopHitOptions, readTopHitOptions } from './search/top-hit-options.ts';
export type { CandidateGenerator } from './suggest/candidate-generator.ts';
export { type Collate, collateQuery } from './suggest/collate.ts';
export { suggestionsOfShard } from './suggest/common-options.ts';
export {
  type CompletionSuggester,
  type FuzzyCompletion,
  REGEX_DEFAULTS,
  type RegexCompletion,
} from './suggest/completion-suggester.ts';
export type { PhraseSuggester } from './suggest/phrase-suggester.ts';
export type { Smoothing } from './suggest/smoothing.ts';
export type { SpellingOptions, StringDistance } from './suggest/spelling-options.ts';
export type { Suggester, Suggestion } from './suggest/suggester.ts';
export type { TermSuggester } from './suggest/term-suggester.ts';
