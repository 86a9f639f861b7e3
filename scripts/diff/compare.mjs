/**
 * Whether two answers say the same: status, hits in order (ties aside), scores to 1e-5, other numbers to 1e-9, errors.
 */

import { olderText } from './lucene-texts.mjs';

const SCORE_TOLERANCE = 1e-5;
const NUMBER_TOLERANCE = 1e-9;
/** Members that differ between any two servers, or any two moments. */
const IGNORED = new Set([
  'took',
  '_node',
  'index_uuid',
  '_shards',
  'max_score_checked',
  'resource.id',
  'resource.type',
  'num_reduce_phases',
  'bytes',
  'line',
  'col',
]);

/** Members that are scores, or may have them in it. */
const SCORED = new Set(['_score', 'max_score', '_explanation', 'explanation', 'sort']);

const isNear = (a, b, tolerance) => a === b || Math.abs(a - b) <= tolerance * Math.max(1e-12, Math.abs(a), Math.abs(b));

const NONE_EXPLAINED = () => false;

const SHOWN_MAX = 300;
const TEXT_SHOWN_MAX = 3000;

const show = (value) =>
  value === undefined
    ? 'nothing'
    : (JSON.stringify(value) ?? 'nothing').slice(0, typeof value === 'string' ? TEXT_SHOWN_MAX : SHOWN_MAX);

/** JSON text as a value; whole numbers that a double does not hold are kept as `#digits`. */
export function parseExactly(text) {
  try {
    return JSON.parse(marked(text));
  } catch {
    return text;
  }
}

/** Texts are passed over whole: digits in them are no numbers. */
function marked(text) {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|(?<=[[:,\s])(-?\d{16,})(?=\s*[,\]}])/g, (all, digits) =>
    digits === undefined || Number.isSafeInteger(Number(digits)) ? all : `"#${digits}"`,
  );
}

/** Hits that are equal in order: `[[hit, …], …]`. */
function ties(hits) {
  const groups = [];
  for (const hit of hits) {
    const last = groups.at(-1);
    if (last !== undefined && hasSameKey(last[last.length - 1], hit)) last.push(hit);
    else groups.push([hit]);
  }
  return groups;
}

function hasSameKey(a, b) {
  if (Array.isArray(a.sort) || Array.isArray(b.sort))
    return new Comparison(NONE_EXPLAINED).of(a.sort ?? null, b.sort ?? null, 'sort', SCORE_TOLERANCE) === null;
  return a._score === b._score || isNear(a._score, b._score, SCORE_TOLERANCE);
}

/** Whether one server wrote a number digit by digit, and the other with an exponent. */
const isSameNumber = (a, b) =>
  typeof a === 'string' && typeof b === 'number' && /^#-?\d+$/.test(a) && Number(a.slice(1)) === b;

const hasScore = (list) =>
  list.length > 0 && list.every((one) => one?.score !== undefined && one?.bg_count !== undefined);

/**
 * Significant terms with equal scores come in any order, and any of those with the last score may be left out: what both have stands in
 * one order, and the rest of the last ones not at all.
 */
function tiesInOrder(ours, theirs) {
  if (!hasScore(ours) || !hasScore(theirs) || ours.length !== theirs.length) return [ours, theirs];
  const last = theirs.at(-1).score;
  const keysOf = (list) => new Set(list.map(({ key }) => String(key)));
  const isKept = (others) => (one) => others.has(String(one.key)) || !isNear(one.score, last, SCORE_TOLERANCE);
  const byKey = (a, b) => (String(a.key) < String(b.key) ? -1 : 1);
  const ordered = (list, others) =>
    list
      .filter(isKept(keysOf(others)))
      .sort((a, b) => (isNear(a.score, b.score, SCORE_TOLERANCE) ? byKey(a, b) : b.score - a.score));
  return [ordered(ours, theirs), ordered(theirs, ours)];
}

/**
 * Walk over two trees to the first place where they differ and `isExplained` does not hold for `path: ours, not theirs`: an explained
 * difference hides none that stands behind it. Every method returns null, or what differs.
 */
class Comparison {
  #isExplained;

  constructor(isExplained) {
    this.#isExplained = isExplained;
  }

  #unlessExplained(difference) {
    return this.#isExplained(difference) ? null : difference;
  }

  of(ours, theirs, path, tolerance) {
    // A simulation tells when it ran.
    if (path.endsWith('_ingest.timestamp')) return null;
    if (typeof ours === 'number' && typeof theirs === 'number')
      return isNear(ours, theirs, tolerance) ? null : this.#unlessExplained(`${path}: ${ours}, not ${theirs}`);
    if (isSameNumber(ours, theirs) || isSameNumber(theirs, ours)) return null;
    const isLeaf = ours === null || theirs === null || typeof ours !== 'object' || typeof theirs !== 'object';
    if (isLeaf && ours === theirs) return null;
    if (isLeaf || Array.isArray(ours) !== Array.isArray(theirs))
      return this.#unlessExplained(`${path}: ${show(ours)}, not ${show(theirs)}`);
    if (path.endsWith('.matched_queries')) return this.#lists([...ours].sort(), [...theirs].sort(), path, tolerance);
    if (Array.isArray(ours)) return this.#lists(...tiesInOrder(ours, theirs), path, tolerance);
    if (Array.isArray(ours.hits) && Array.isArray(theirs.hits)) return this.#hits(ours, theirs, path);
    return this.#members(ours, theirs, path, tolerance);
  }

  #lists(ours, theirs, path, tolerance) {
    if (ours.length !== theirs.length)
      return this.#unlessExplained(`${path}: ${ours.length} items ${show(ours)}, not ${theirs.length} ${show(theirs)}`);
    for (let at = 0; at < ours.length; at++) {
      const found = this.of(ours[at], theirs[at], `${path}[${at}]`, tolerance);
      if (found !== null) return found;
    }
    return null;
  }

  #members(ours, theirs, path, tolerance) {
    for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      if (IGNORED.has(name)) continue;
      const inner = SCORED.has(name) ? SCORE_TOLERANCE : tolerance;
      const found = this.of(ours[name], theirs[name], path === '' ? name : `${path}.${name}`, inner);
      if (found !== null) return found;
    }
    return null;
  }

  /** Totals and hits. Order among ties is free, and so is which of the last ones a page ends with. */
  #hits(ours, theirs, path) {
    const { hits: ourHits, ...ourRest } = ours;
    const { hits: theirHits, ...theirRest } = theirs;
    const rest = this.#members(ourRest, theirRest, path, SCORE_TOLERANCE);
    if (rest !== null) return rest;
    if (ourHits.length !== theirHits.length)
      return this.#unlessExplained(`${path}.hits: ${ourHits.length} hits, not ${theirHits.length}`);
    const groups = ties(theirHits);
    let at = 0;
    for (const [number, group] of groups.entries()) {
      const own = ourHits.slice(at, at + group.length);
      const found = this.#ties(own, group, `${path}.hits[${at}]`, number === 0 || number === groups.length - 1);
      if (found !== null) return found;
      at += group.length;
    }
    return null;
  }

  #ties(ours, theirs, path, isEdge) {
    // Hits that do not show their ids cannot be told apart among ties.
    if (theirs.length > 1 && theirs.some(({ _id }) => _id === undefined)) return null;
    const byId = new Map(ours.map((hit) => [`${hit._index}/${hit._id}/${show(hit._nested)}`, hit]));
    for (const [at, hit] of theirs.entries()) {
      const own = byId.get(`${hit._index}/${hit._id}/${show(hit._nested)}`);
      if (own === undefined) {
        if (isEdge && hasSameKey(ours[at], hit)) continue;
        const found = this.#unlessExplained(`${path}: ${show(ours.map(brief))}, not ${show(theirs.map(brief))}`);
        if (found !== null) return found;
        continue;
      }
      const found = this.#members(own, hit, path, NUMBER_TOLERANCE);
      if (found !== null) return found;
    }
    return null;
  }
}

const brief = ({ _id, _score, sort }) => [_id, _score, ...(sort === undefined ? [] : [sort])];

/** Clause that keeps nested documents out of a query of a peer: they are no documents of ours to begin with. */
const NESTED_FILTER = 'FieldExistsQuery [field=_primary_term]';
/** What a query of all documents becomes with that filter. */
const ALL_ROOTS = `ConstantScore(${NESTED_FILTER})`;

/** The tree without the filters against nested documents that explanations and queries as text are wrapped in. */
function withoutNestedFilter(tree) {
  if (typeof tree === 'string' && /^\(?ConstantScore\(Field/.test(tree)) return tree.replace(ALL_ROOTS, '*:*');
  if (typeof tree === 'string') return olderText(tree.endsWith(` #${NESTED_FILTER}`) ? bareQuery(tree) : tree);
  if (tree === null || typeof tree !== 'object') return tree;
  if (Array.isArray(tree)) return tree.map(withoutNestedFilter);
  if (tree.details?.length === 2 && tree.details[1].details?.[1]?.description === NESTED_FILTER) {
    const [own] = tree.details;
    return withoutNestedFilter(tree.description === 'sum of:' ? own : own.details[0]);
  }
  return Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, withoutNestedFilter(value)]));
}

/** `+(a b) #filter` and `+a #filter` without the filter: parentheses around several clauses go too. */
function bareQuery(text) {
  const query = text.replace(/^\+/, '').slice(0, -` #${NESTED_FILTER}`.length);
  if (!query.startsWith('(') || !query.endsWith(')')) return query;
  let depth = 0;
  for (const [at, letter] of [...query].entries()) {
    if (letter === '(') depth++;
    else if (letter === ')') depth--;
    if (depth === 0) return at === [...query].length - 1 ? query.slice(1, -1) : query;
  }
  return query;
}

/**
 * null when the answers `{status, text}` are the same, otherwise the first difference that `isExplained` does not hold for.
 */
export function differenceOf(ours, theirs, isExplained = NONE_EXPLAINED) {
  if (ours.status !== theirs.status) {
    const reason = (answer) => (answer.status < 300 ? '' : ` ${briefError(parseExactly(answer.text))}`);
    const difference = `status: ${ours.status}${reason(ours)}, not ${theirs.status}${reason(theirs)}`;
    return isExplained(difference) ? null : difference;
  }
  const trees = [normalized(parseExactly(ours.text)), comparable(theirs)];
  return new Comparison(isExplained).of(...trees, '', NUMBER_TOLERANCE);
}

/** An answer without what the peer adds to every query, and what servers say in their own ways. */
export function comparable({ text }) {
  return withoutNestedFilter(inElasticsearchForm(normalized(parseExactly(text))));
}

/** An answer of OpenSearch without the status of a search by a template, and with what Elasticsearch tells of every field since 7.13. */
function inElasticsearchForm(answer) {
  if (answer === null || typeof answer !== 'object') return answer;
  if (answer.hits !== undefined && answer.took !== undefined && answer.status === 200) {
    const { status: _, ...found } = answer;
    return inElasticsearchForm(found);
  }
  if (answer.aggregations !== undefined) return { ...answer, aggregations: withoutEmptyMeta(answer.aggregations) };
  if (answer.fields === undefined || answer.indices === undefined) return answer;
  const inTypes = (name, types) =>
    Object.entries(types).map(([type, told]) => [
      type,
      { ...told, metadata_field: type !== 'unmapped' && name.startsWith('_') },
    ]);
  const fields = Object.entries(answer.fields).map(([name, types]) => [name, Object.fromEntries(inTypes(name, types))]);
  return { ...answer, fields: Object.fromEntries(fields) };
}

/** Aggregations without the empty `meta` that OpenSearch shows where it rewrote a filter. */
function withoutEmptyMeta(tree) {
  if (tree === null || typeof tree !== 'object') return tree;
  if (Array.isArray(tree)) return tree.map(withoutEmptyMeta);
  const isKept = ([name, value]) => name !== 'meta' || JSON.stringify(value) !== '{}';
  return Object.fromEntries(
    Object.entries(tree)
      .filter(isKept)
      .map(([name, value]) => [name, withoutEmptyMeta(value)]),
  );
}

const briefError = (answer) =>
  show(
    answer?.error?.root_cause?.[0] === undefined
      ? answer?.error
      : {
          type: answer.error.root_cause[0].type,
          reason: answer.error.root_cause[0].reason,
          caused_by: answer.error.caused_by,
        },
  );

/** A reason without what every server says in its own way: packages, where in the text it stood, how it names a source. */
function plainReason(reason) {
  return reason
    .replaceAll('org.opensearch.', 'org.elasticsearch.')
    .replaceAll(/\[([\w-]+)\/[\w-]{22}\]/g, '[$1/uuid]')
    .replaceAll(/\[\d+:\d+\] /g, '[line:col] ')
    .replaceAll('elasticsearch.core.xcontent.', 'elasticsearch.common.xcontent.')
    .replaceAll(/ at \d+:\d+$/g, ' at line:col')
    .replaceAll(/\n at \[Source: .*?; line: \d+, column: \d+\]/gs, '');
}

function withPlainReasons(error) {
  if (error === null || typeof error !== 'object') return error;
  if (Array.isArray(error)) return error.map(withPlainReasons);
  return Object.fromEntries(
    Object.entries(error).map(([name, value]) => [
      name,
      name === 'reason' && typeof value === 'string' ? plainReason(value) : withPlainReasons(value),
    ]),
  );
}

const withPlainError = (explanation) =>
  typeof explanation.error === 'string' ? { ...explanation, error: plainReason(explanation.error) } : explanation;

/** An error without the nodes that shards failed on. */
function withoutNodes({ failed_shards: failed, caused_by: cause, ...error }) {
  const shards = Array.isArray(failed) ? { failed_shards: failed.map(({ node: _, ...shard }) => shard) } : {};
  return { ...error, ...shards, ...(cause === undefined ? {} : { caused_by: withoutNodes(cause) }) };
}

/** What became of a document in a simulated pipeline, and of each processor, with plain errors. */
function withPlainErrors(result) {
  const { error, processor_results: steps, ...rest } = result;
  return {
    ...rest,
    ...(error === undefined ? {} : { error: withPlainReasons(error) }),
    ...(steps === undefined ? {} : { processor_results: steps.map(withPlainErrors) }),
  };
}

/** Failed shards count, where they are; which node had them does not. */
function normalized(answer) {
  if (answer === null || typeof answer !== 'object') return answer;
  if (Array.isArray(answer.docs) && answer.docs.every((doc) => doc !== null && typeof doc === 'object'))
    return { ...answer, docs: answer.docs.map(withPlainErrors) };
  if (Array.isArray(answer.explanations)) return { ...answer, explanations: answer.explanations.map(withPlainError) };
  if (answer.metric_score !== undefined && answer.failures !== undefined)
    return {
      ...answer,
      failures: Object.fromEntries(Object.entries(answer.failures).map(([id, failure]) => [id, normalized(failure)])),
    };
  if (Array.isArray(answer.responses)) return { ...answer, responses: answer.responses.map(normalized) };
  if (answer._shards?.failed > 0)
    return { ...answer, failed: answer._shards.failed, failures: answer._shards.failures };
  if (typeof answer.error !== 'object' || answer.error === null) return answer;
  return { ...answer, error: withPlainReasons(withoutNodes(answer.error)) };
}
