/**
 * Every kind of query with what it does on a shard, one line each: a kind without its line does not compile.
 */
import { asQuery, type Query, type QueryNode } from '@shoal/query';
import { bool } from '../kinds/bool.ts';
import { boosting } from '../kinds/boosting.ts';
import { combinedFields } from '../kinds/combined-fields/combined-fields.ts';
import { common } from '../kinds/common-terms/common-terms.ts';
import { constantScore } from '../kinds/constant-score.ts';
import { disMax } from '../kinds/dis-max.ts';
import { distanceFeature } from '../kinds/distance-feature.ts';
import { exists } from '../kinds/exists.ts';
import { functionScore } from '../kinds/function-score.ts';
import { fuzzy } from '../kinds/fuzzy.ts';
import { geoBoundingBox, geoDistance, geoPolygon } from '../kinds/geo-points.ts';
import { ids } from '../kinds/ids.ts';
import { intervals } from '../kinds/intervals.ts';
import { hasChild } from '../kinds/join/has-child.ts';
import { hasParent } from '../kinds/join/has-parent.ts';
import { parentId } from '../kinds/join/parent-id.ts';
import { knn } from '../kinds/knn/knn.ts';
import { match } from '../kinds/match.ts';
import { matchAll, matchNone } from '../kinds/match-all.ts';
import { matchPhrase, matchPhrasePrefix } from '../kinds/match-phrase.ts';
import { moreLikeThis } from '../kinds/more-like-this/more-like-this.ts';
import { multiMatch } from '../kinds/multi-match.ts';
import { nested } from '../kinds/nested/nested.ts';
import { prefix, regexp, wildcard } from '../kinds/patterns.ts';
import { percolate } from '../kinds/percolate/percolate.ts';
import { pinned } from '../kinds/pinned/pinned.ts';
import type { QueryBehaviour } from '../kinds/query-behaviour.ts';
import { queryString, simpleQueryString } from '../kinds/query-string.ts';
import { range } from '../kinds/range.ts';
import { script } from '../kinds/script/script.ts';
import { scriptScore } from '../kinds/script/script-score.ts';
import { geoShape, planeShape } from '../kinds/shapes.ts';
import { span } from '../kinds/span.ts';
import { term } from '../kinds/term.ts';
import { terms } from '../kinds/terms.ts';
import { termsSet } from '../kinds/terms-set/terms-set.ts';
import { rankFeature } from '../rank-feature/rank-feature.ts';

/** The node of a kind, also where several kinds share one. */
type NodeOfKind<K, Q = Query> = Q extends QueryNode ? (K extends Q['kind'] ? Q : never) : never;

const BEHAVIOURS: { readonly [K in Query['kind']]: QueryBehaviour<NodeOfKind<K>> } = {
  bool,
  boosting,
  combinedFields,
  common,
  constantScore,
  disMax,
  distanceFeature,
  exists,
  functionScore,
  fuzzy,
  geoBoundingBox,
  geoDistance,
  geoPolygon,
  geoShape,
  hasChild,
  hasParent,
  ids,
  intervals,
  knn,
  match,
  matchAll,
  matchBoolPrefix: match,
  matchNone,
  matchPhrase,
  matchPhrasePrefix,
  moreLikeThis,
  multiMatch,
  nested,
  parentId,
  percolate,
  pinned,
  planeShape,
  prefix,
  queryString,
  range,
  rankFeature,
  regexp,
  script,
  scriptScore,
  simpleQueryString,
  span,
  term,
  terms,
  termsSet,
  wildcard,
};

/** The behaviour of the node's kind, to be given this node only. */
export function behaviourOf(node: QueryNode): QueryBehaviour<QueryNode> {
  return BEHAVIOURS[asQuery(node).kind];
}
