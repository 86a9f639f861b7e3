/**
 * Differences that are right, where the answers as a whole show it: each with its reason and a narrow test of both answers.
 *
 * Explanations are compared by what they are made of. Lucene 9 rewrites a query before it tells it, so that the same terms with the same
 * weights stand in another tree; the score, whether the document matches, and every weight of a term must be equal all the same.
 */
import { exactJson } from './exact-json.mjs';
import { hasPattern } from './field-patterns.mjs';
import { orderedText } from './lucene-texts.mjs';

const TOLERANCE = 1e-5;
const isNear = (a, b) => Math.abs(a - b) <= TOLERANCE * Math.max(1e-12, Math.abs(a), Math.abs(b));

/** Weights of terms within an explanation, one line each, without the number of the document. */
function weightsOf({ description = '', value, details = [] }) {
  const weight = /^weight\((.*) in \d+\) \[PerFieldSimilarity\]/s.exec(description);
  if (weight === null) return details.flatMap(weightsOf);
  // What a document does not match is told by some clauses that exclude it, and by others not.
  return value === 0 ? [] : [{ term: weight[1], value }];
}

function areSameWeights(ours, theirs) {
  const byTerm = (a, b) => (a.term < b.term ? -1 : a.term > b.term ? 1 : a.value - b.value);
  const [own, peer] = [weightsOf(ours).sort(byTerm), weightsOf(theirs).sort(byTerm)];
  return (
    own.length === peer.length &&
    own.every(({ term, value }, at) => term === peer[at].term && isNear(value, peer[at].value))
  );
}

/** Whether two explanations have the same score of the same weights. */
const isRearranged = (ours, theirs) => isNear(ours.value, theirs.value) && areSameWeights(ours, theirs);

/** Explanations of an answer by what they explain. */
function explanationsOf(answer) {
  if (answer?.explanation !== undefined) return new Map([['', answer.explanation]]);
  const hits = answer?.hits?.hits ?? [];
  return new Map(hits.flatMap(({ _id, _explanation }) => (_explanation === undefined ? [] : [[_id, _explanation]])));
}

function areRearranged(ours, theirs) {
  const [own, peer] = [explanationsOf(ours), explanationsOf(theirs)];
  return own.size > 0 && [...own].every(([id, tree]) => !peer.has(id) || isRearranged(tree, peer.get(id)));
}

/** A query as text without what only says how clauses are joined, constant or scored: its terms and values in one order. */
const termsOf = (text) =>
  orderedText(
    text
      .replaceAll(/(?<=^|[\s(|])[+#-]+(?=\S)/g, '')
      .replaceAll(/ConstantScore|MatchNoDocsQuery\("[^"]*"\)/g, ' ')
      .replaceAll(/\)~\d+(?:\.\d+)?/g, ')')
      .replaceAll(/\^0\.0/g, ' ')
      .replaceAll('*:*', ' '),
  );

/** What is wrong with one of several fields. */
const MISTAKE =
  /^(?:failed to create query: .*|Can only use .*|For input string.*|Text fields are not optimised .*|Fielddata is not supported .*|Can't load fielddata .*|Queries on .*)$/s;

const validated = (answer) => answer?.explanations?.[0]?.explanation;
const mentions = (answer, text) => JSON.stringify(answer ?? null).includes(text);
const firstCause = (answer) => answer?.error?.root_cause?.[0];

/** Whether the second page is the first but for hits that it passed over, and those that came up in their stead. */
function isPassedOver(ours, theirs) {
  const [own, peer] = [ours, theirs].map((answer) => (answer?.hits?.hits ?? []).map(({ _id }) => _id));
  const inBoth = (ids, others) => ids.filter((id) => others.includes(id));
  const common = inBoth(own, peer);
  const isSameOrder = inBoth(peer, own).every((id, at) => id === common[at]);
  // What came up stands behind all that both have.
  return isSameOrder && peer.slice(0, common.length).every((id) => common.includes(id)) && common.length < own.length;
}

/** Names of what documents are sorted by, in a body or in the path. */
const sortsBy = ({ body, path }, name) =>
  JSON.stringify(body?.sort ?? null).includes(`"${name}"`) || new RegExp(`[?&]sort=${name}`).test(path);

/** Whether a request of `_analyze` names the tokenizer, by itself or with options. */
const isCutBy = ({ class: api, body }, tokenizer) =>
  api === '_analyze' && (body.tokenizer === tokenizer || body.tokenizer?.type === tokenizer);

/** What can be wrong with one aggregation of a tree. */
const AGGREGATION_MISTAKE =
  /cannot be used with a parent aggregation of type|cannot be nested inside an aggregation|is not supported for aggregation|does not support floating point fields|No support for examining floating point numerics|must be used with child aggregations|^failed to parse date field|^Failed to parse query|cannot accept sub-aggregations|unknown field \[|expected comparable, got \[null\]|^Missing value for \[after/;

/** Buckets of the aggregation whose list is named at the start of a difference, in both answers; null for any other difference. */
function bucketsAt(difference, ours, theirs) {
  const name = /^aggregations\.([\w#]+)\.buckets/.exec(difference)?.[1];
  const [own, peer] = [ours, theirs].map((answer) => answer?.aggregations?.[name]?.buckets);
  return Array.isArray(own) && Array.isArray(peer) ? { name: name.replace(/^.*#/, ''), own, peer } : null;
}

const LAST_LONG = '#9223372036854775807';

/** Fields and words of a query as text, each once, whatever weight it has. */
const wordsOf = (text) =>
  [...new Set(termsOf(text.replaceAll(/\^\d+(?:\.\d+)?(?:E-?\d+)?/g, '')).split(' '))].sort().join(' ');

/** `{reason, matches(request, difference, ours, theirs)}` */
export const EXPLAINED_BY_ANSWERS = [
  {
    reason: 'a template that makes no JSON is refused, where the peer answers with what it made: no JSON either',
    matches: ({ class: api }, difference, _, theirs) =>
      api === '_render/template' &&
      difference.startsWith('status: 400 {"type":"json_parse_exception"') &&
      difference.endsWith(', not 200') &&
      typeof theirs === 'string',
  },
  {
    reason: 'of two mistakes in one tree of aggregations the peer tells another one first',
    matches: ({ body }, difference, ours, theirs) =>
      body?.aggs !== undefined &&
      /^(?:status|error\.root_cause\[0\]\.(?:type|reason)):/.test(difference) &&
      [ours, theirs].every((answer) => AGGREGATION_MISTAKE.test(firstCause(answer)?.reason ?? '')),
  },
  {
    reason:
      'which of many terms of one score a shard sends on, before most of them are dropped, follows from the order of its hashes',
    matches: ({ body }, difference, ours, theirs) => {
      const found = bucketsAt(difference, ours, theirs);
      const asked = found === null ? undefined : body?.aggs?.[found.name];
      if (asked?.significant_terms === undefined && asked?.significant_text === undefined) return false;
      const scores = [...found.own, ...found.peer].map(({ score }) => score);
      return scores.length > 1 && scores.every((score) => score === scores[0]);
    },
  },
  {
    reason:
      'the peer takes the last long for one that it has just seen: among rare terms it counts fewer documents of it',
    matches: ({ body }, difference, ours, theirs) => {
      const found = bucketsAt(difference, ours, theirs);
      if (found === null || body?.aggs?.[found.name]?.rare_terms === undefined) return false;
      const others = (buckets) => buckets.filter(({ key }) => key !== LAST_LONG).map((one) => [one.key, one.doc_count]);
      return (
        JSON.stringify(others(found.own)) === JSON.stringify(others(found.peer)) &&
        [found.own, found.peer].some((buckets) => buckets.some(({ key }) => key === LAST_LONG))
      );
    },
  },
  {
    reason: 'Lucene 9 joins what a rewritten query says twice, and multiplies its weights: the same words',
    matches: ({ path }, difference, ours, theirs) =>
      /_validate\/query\?.*rewrite=true/.test(path) &&
      difference.startsWith('explanations[0].explanation:') &&
      wordsOf(validated(ours) ?? '') === wordsOf(validated(theirs) ?? ' '),
  },
  {
    reason: 'a document that foreach cannot change fails the whole simulation of OpenSearch, and itself alone here',
    matches: (request, difference, ours, theirs) =>
      request.class === '_simulate' &&
      /^status: 200, not 400 /.test(difference) &&
      exactJson(request.body).includes('"foreach"') &&
      (ours?.docs ?? []).some((doc) => mentions(doc, JSON.stringify(firstCause(theirs)?.reason ?? null))),
  },
  {
    reason: 'OpenSearch cannot read the document of a percolation when it explains a score',
    matches: (request, _, ours, theirs) =>
      request.class === '_explain' && mentions(theirs, 'async actions are left after rewrite') && ours !== null,
  },
  {
    reason: 'a function that gives a negative score is told as such also within a script',
    matches: (_, difference, ours, theirs) =>
      /^error\.root_cause\[0\]\.type: "illegal_argument_exception", not "script_exception"$/.test(difference) &&
      [ours, theirs].every((answer) => mentions(answer, 'must not produce negative scores')),
  },
  {
    reason: 'a reduce script runs where its value is shown: not for buckets that a pipeline drops',
    matches: ({ body }, difference, _, theirs) =>
      /^status: 200, not 400 /.test(difference) &&
      exactJson(body ?? null).includes('"scripted_metric"') &&
      exactJson(body ?? null).includes('"bucket_selector"') &&
      theirs?.error?.caused_by?.type === 'script_exception',
  },
  {
    reason: 'the classic tokenizer of Lucene knows the letters of Unicode 3.0 alone, none beyond the basic plane',
    matches: (request) =>
      isCutBy(request, 'classic') && [request.body.text].flat().some((text) => /[\u{10000}-\u{10ffff}ẞ]/u.test(text)),
  },
  {
    reason:
      'the peer does not tell why synonyms cannot be read, and lets filters parse them that version 7.10 refuses for it',
    matches: (request, _, ours, theirs) =>
      request.class === '_analyze' &&
      (firstCause(theirs)?.reason === 'Failed to build synonyms' ||
        (firstCause(ours)?.reason ?? '').endsWith('cannot be used to parse synonyms')),
  },
  {
    reason: 'the peer shows no frequency of tokens that char_group cut: an attribute of its own implementation',
    matches: (request, difference) =>
      isCutBy(request, 'char_group') && difference.endsWith('.termFrequency: 1, not nothing'),
  },
  {
    reason:
      'OpenSearch 2 passes over hits when it sorts by scaled floats or by nested objects: with a full count they are there',
    matches: (request, difference, ours, theirs) =>
      (sortsBy(request, 'nested') || sortsBy(request, 'scaled')) &&
      request.body?.track_total_hits !== true &&
      /^hits\.hits\[\d+\]: \[\[/.test(difference) &&
      isPassedOver(ours, theirs),
  },
  {
    reason: 'Lucene 9 rewrites a query before it explains a score: the same weights of the same terms in another tree',
    matches: (_, difference, ours, theirs) =>
      /(?:^|\.)_?explanation\./.test(difference) && ours.matched === theirs.matched && areRearranged(ours, theirs),
  },
  {
    reason: 'Lucene 9 rewrites a query before it is shown: the same terms, joined otherwise',
    matches: (request, difference, ours, theirs) =>
      request.class === '_validate' &&
      difference.startsWith('explanations[0].explanation:') &&
      termsOf(validated(ours) ?? '') === termsOf(validated(theirs) ?? ' '),
  },
  {
    reason:
      'Lucene 9 looks for the words of a pattern of intervals when they are asked for, not when the query is made',
    matches: (_, difference, ours) =>
      /^(?:valid: false, not true|status: 400 .*, not 200)/s.test(difference) &&
      mentions(ours, 'expanded to too many terms'),
  },
  {
    reason: 'what functions of a score may not look at is refused also where a query finds nothing',
    matches: (_, difference, ours, theirs) =>
      /^status: 400 .*but only numeric types are supported.*, not 200/s.test(difference) &&
      theirs?.hits?.total?.value === 0 &&
      ours?.status === 400,
  },
  {
    reason: 'the peer fails in its own code when it shows the column of ranges, as soon as a hit has any',
    matches: (_, difference) =>
      /^status: 400 .*of type \[\w+_range\] does not support \[docvalue_fields\].*, not (?:200|400 .*array_index)/s.test(
        difference,
      ),
  },
  {
    reason: 'rare terms are kept apart by a filter that takes some for frequent: the peer has fewer, and none besides',
    matches: ({ body }, difference, ours, theirs) => {
      const name = /^aggregations\.(\w+)\.buckets: \d+ items/.exec(difference)?.[1];
      if (name === undefined || body?.aggs?.[name]?.rare_terms === undefined) return false;
      const keys = (answer) => (answer?.aggregations?.[name]?.buckets ?? []).map(({ key }) => key);
      const [own, peer] = [new Set(keys(ours)), keys(theirs)];
      return peer.length < own.size && peer.every((key) => own.has(key));
    },
  },
  {
    reason: 'what is not built is refused where a query is validated, too',
    matches: (_, difference, ours) =>
      difference === 'valid: false, not true' && mentions(ours, 'not supported by this server'),
  },
  {
    reason: 'of several fields that a pattern finds, each with a mistake, the peer names the first by its hash',
    matches: ({ body, lines }, difference, ours, theirs) =>
      /^(?:status|error\.root_cause\[0\]\.(?:type|reason)):/.test(difference) &&
      hasPattern(body ?? lines) &&
      [ours, theirs].every((answer) => answer?.status === 400 && MISTAKE.test(firstCause(answer)?.reason ?? '')),
  },
  {
    reason: 'a message stands in that of the query that was made of it, where the peer rewrites the query first',
    matches: (_, difference, ours, theirs) =>
      /^error\.root_cause\[0\]\.type: "query_shard_exception", not/.test(difference) &&
      firstCause(ours)?.reason === `failed to create query: ${firstCause(theirs)?.reason}`,
  },
];
