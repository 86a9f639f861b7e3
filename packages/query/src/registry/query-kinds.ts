/**
 * All queries by their names in requests, one line each. The union of nodes, the parser and the reader follow from it.
 */
export { bool } from '../kinds/bool/bool.ts';
export { boosting } from '../kinds/boosting/boosting.ts';
export { combinedFields as combined_fields } from '../kinds/combined-fields/combined-fields.ts';
export { common } from '../kinds/common-terms/common-terms.ts';
export { constantScore as constant_score } from '../kinds/constant-score/constant-score.ts';
export { disMax as dis_max } from '../kinds/dis-max/dis-max.ts';
export { distanceFeature as distance_feature } from '../kinds/distance-feature/distance-feature.ts';
export { exists } from '../kinds/exists/exists.ts';
export { functionScore as function_score } from '../kinds/function-score/function-score.ts';
export { fuzzy } from '../kinds/fuzzy/fuzzy.ts';
export { geoBoundingBox as geo_bounding_box } from '../kinds/geo-bounding-box/geo-bounding-box.ts';
export { geoDistance as geo_distance } from '../kinds/geo-distance/geo-distance.ts';
export { geoGrid as geo_grid } from '../kinds/geo-grid/geo-grid.ts';
export { geoPolygon as geo_polygon } from '../kinds/geo-polygon/geo-polygon.ts';
export { geoShape as geo_shape, planeShape as shape } from '../kinds/geo-shape/geo-shape.ts';
export { ids } from '../kinds/ids/ids.ts';
export { intervals } from '../kinds/intervals/intervals.ts';
export { hasChild as has_child } from '../kinds/join/has-child.ts';
export { hasParent as has_parent } from '../kinds/join/has-parent.ts';
export { parentId as parent_id } from '../kinds/join/parent-id.ts';
export { knn } from '../kinds/knn/knn.ts';
export { match } from '../kinds/match/match.ts';
export { matchAll as match_all } from '../kinds/match-all/match-all.ts';
export { matchBoolPrefix as match_bool_prefix } from '../kinds/match-bool-prefix/match-bool-prefix.ts';
export { matchNone as match_none } from '../kinds/match-none/match-none.ts';
export { matchPhrase as match_phrase } from '../kinds/match-phrase/match-phrase.ts';
export { matchPhrasePrefix as match_phrase_prefix } from '../kinds/match-phrase-prefix/match-phrase-prefix.ts';
export { moreLikeThis as more_like_this } from '../kinds/more-like-this/more-like-this.ts';
export { multiMatch as multi_match } from '../kinds/multi-match/multi-match.ts';
export { nested } from '../kinds/nested/nested.ts';
export { percolate } from '../kinds/percolate/percolate.ts';
export { pinned } from '../kinds/pinned/pinned.ts';
export { prefix } from '../kinds/prefix/prefix.ts';
export { queryString as query_string } from '../kinds/query-string/query-string.ts';
export { range } from '../kinds/range/range.ts';
export { rankFeature as rank_feature } from '../kinds/rank-feature/rank-feature.ts';
export { regexp } from '../kinds/regexp/regexp.ts';
export { rule, rule as rule_query } from '../kinds/rule/rule.ts';
export { script } from '../kinds/script/script.ts';
export { scriptScore as script_score } from '../kinds/script-score/script-score.ts';
export { simpleQueryString as simple_query_string } from '../kinds/simple-query-string/simple-query-string.ts';
export {
  span as field_masking_span,
  span as span_containing,
  span as span_field_masking,
  span as span_first,
  span as span_multi,
  span as span_near,
  span as span_not,
  span as span_or,
  span as span_term,
  span as span_within,
} from '../kinds/span/span.ts';
export { term } from '../kinds/term/term.ts';
export { terms } from '../kinds/terms/terms.ts';
export { termsSet as terms_set } from '../kinds/terms-set/terms-set.ts';
export { type } from '../kinds/type/type.ts';
export { wildcard } from '../kinds/wildcard/wildcard.ts';
export { wrapper } from '../kinds/wrapper/wrapper.ts';
