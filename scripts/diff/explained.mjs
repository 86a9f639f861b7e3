/**
 * Differences that are right: each with its reason and a narrow test of the request and of what differs.
 */

import { comparable, differenceOf } from './compare.mjs';
import { names, parts } from './difference-parts.mjs';
import { exactJson } from './exact-json.mjs';
import { EXPLAINED_AGGREGATIONS } from './explained-aggregations.mjs';
import { EXPLAINED_BY_ANSWERS } from './explained-answers.mjs';
import { EXPLAINED_ESTIMATES } from './explained-estimates.mjs';
import { EXPLAINED_INGEST } from './explained-ingest.mjs';
import { hasPattern } from './field-patterns.mjs';
import { isAllRequired, isSumOfBest, orderedText } from './lucene-texts.mjs';
import { isSameSet } from './sortable-sets.mjs';

const isText = (path) => /(?:description|explanation)$/.test(path);
/** The two texts of a difference of texts, in which identities of objects of a virtual machine are left out. */
function texts(difference) {
  const { path, ours, theirs } = parts(difference);
  if (!isText(path)) return null;
  const plain = (text) => text.replaceAll(/ (?:in|id) \d+/g, '').replaceAll(/@[0-9a-f]{5,8}\b/g, '');
  return { ours: plain(ours), theirs: plain(theirs) };
}

/** `{reason, matches(request, difference)}` */
export const EXPLAINED = [
  {
    reason: 'OpenSearch words what a document lacks, and what is no address, in its own way in ingest pipelines',
    matches: (request, difference) => {
      const { ours, theirs } = parts(difference);
      const lacked = /field \[([\w.]+)\] doesn't exist/.exec(theirs)?.[1];
      const isAddress =
        ours.includes('is not an IP string literal') && theirs.includes('is not a valid ipv4/ipv6 address');
      const isLacked = lacked !== undefined && ours.includes(`not present as part of path [${lacked}]`);
      return request.class === '_simulate' && (isAddress || isLacked);
    },
  },
  {
    reason: 'a stack of a script does not tell the frames of a virtual machine, nor which lambda it was',
    matches: (request, difference) => {
      const { path } = parts(difference);
      return request.class === '_execute' && /\.script_stack(?:\[\d+\])?$/.test(path);
    },
  },
  {
    reason: 'an array is told by the identity of an object, which no two requests share',
    matches: (request, difference) => request.class === '_execute' && /not "\[L[\w.]+;@[0-9a-f]+"$/.test(difference),
  },
  {
    reason: 'Elasticsearch names fields of type wildcard among those that take prefixes',
    matches: (_, difference) => {
      const { ours, theirs } = parts(difference);
      const plain = ours.replace('on keyword, text and wildcard fields', 'on keyword and text fields');
      return /Can only use (?:prefix|wildcard|regexp) queries/.test(ours) && plain === theirs;
    },
  },
  {
    reason: 'OpenSearch tells the name of a query of a script with its script',
    matches: (_, difference) => {
      const { ours, theirs } = parts(difference);
      return theirs.includes('ScriptQuery(') && theirs.replaceAll(/, _name: \w+\)/g, ')') === ours;
    },
  },
  {
    reason: 'messages do not tell what a virtual machine found null',
    matches: (_, difference) => /\.reason: null, not "Cannot (?:invoke|read|load|store) /.test(difference),
  },
  {
    reason: 'OpenSearch shows fields of the fetch phase with suggestions: a percolation marks them too',
    matches: ({ body }, difference) =>
      names(body?.query, 'percolate') &&
      /^suggest\..*\.options\[\d+\]\.fields: nothing, not \{"_percolator_document_slot"/.test(difference),
  },
  {
    reason:
      'OpenSearch 2 sorts whole numbers and booleans of 32 bits as such; Elasticsearch 7.10 as 64, which a missing one shows',
    matches: (_, difference) => /\.sort\[\d+\]: "#-?922337203685477580[78]", not -?214748364[78]$/.test(difference),
  },
  {
    reason:
      'Elasticsearch 8 has no field `_parent_join`, 32 bits of `_doc_count`, and columns of `_ignored` and `_version`',
    matches: (request, difference) =>
      request.class === '_field_caps' &&
      (difference.startsWith('fields._parent_join: nothing, not ') ||
        /^fields\._doc_count\.(?:long: nothing, not \{|integer: \{.*, not nothing$)/.test(difference) ||
        /^fields\.(_ignored|_version)\.\1\.aggregatable: true, not false$/.test(difference)),
  },
  {
    reason: 'OpenSearch answers a server error to what Elasticsearch refuses as wrong',
    matches: (_, difference) =>
      /^status: 400 .*, not 500 \{"type":"search_exception","reason":"\[stored_fields\] cannot be disabled/.test(
        difference,
      ),
  },
  {
    reason: 'messages do not name the Java classes of a server',
    matches: (_, difference) =>
      /is of type \[\w+\], but only .*", not .* is of type \[[\w.$]+FieldType@[0-9a-f]+\], but only .*"$/.test(
        difference,
      ),
  },
  {
    reason: 'numbers of documents within their segment in descriptions: segments differ',
    matches: (_, difference) => {
      const { path, ours, theirs } = parts(difference);
      const plain = (text) => text.replaceAll(/ (?:in|id) \d+/g, '');
      return path.endsWith('description') && plain(ours) === plain(theirs);
    },
  },
  {
    reason:
      'the phrase suggester counts distinct terms only where one segment holds all: the peer has one, ours several',
    matches: ({ body }, difference) => {
      const { path, ours, theirs } = parts(difference);
      const isClose = Math.abs(Math.log(Number(ours) / Number(theirs))) < Math.log(2);
      return names(body, 'phrase') && /^suggest\..*\.score$/.test(path) && isClose;
    },
  },
  {
    reason: 'a wrong request is answered with 400 and the reason, where the peer calls it an error of the server',
    matches: (_, difference) =>
      /^status: 400 .*(?:returned an invalid score: NaN|expects a value but found a|must not be null|out of range of int|\[filters\] cannot be null|was indexed without position data|Negative values are not supported by HDR|expanded to too many terms|maxClauseCount).*, not 500 /s.test(
        difference,
      ),
  },
  {
    reason:
      'too many buckets and too much memory have the same type, with the status that Elasticsearch has since 7.16',
    matches: (_, difference) =>
      /^status: 400 \{"type":"too_many_buckets_exception".*, not (?:503|429) /s.test(difference),
  },
  {
    reason: 'OpenSearch fails in a query of nested objects inside a sort: Elasticsearch 7.10 answers',
    matches: (_, difference) =>
      /not 500 \{"type":"(?:illegal_state_exception","reason":"Parent query must not match|unsupported_operation_exception","reason":"nested documents are not assigned)/.test(
        difference,
      ),
  },
  {
    reason: 'a single boolean among terms is a scored term to OpenSearch 2, a constant to Elasticsearch 7.10',
    matches: ({ body }, difference) =>
      /"terms":\{"flag":/.test(exactJson(body ?? null)) &&
      (/^hits\.(?:max_score|hits\[\d+\]\._score): [\d.]+, not [\d.]+$/.test(difference) ||
        /^explanations\[0\]\.explanation: ".*flag:\([TF]\).*", not ".*flag:[TF]\b/.test(difference)),
  },
  {
    reason:
      'an automaton and the functions of a score are told by the identity of an object, which no two requests share',
    matches: ({ body }, difference) => {
      const both = texts(difference);
      if (both === null) return false;
      const bare = both.theirs.replaceAll(/, functions: \[(?:\{[\w.$]+\})*\]/g, '');
      const own = both.ours.replaceAll(', functions: []', '');
      if (bare !== both.theirs) return orderedText(bare) === orderedText(own);
      const isPattern = /\*|\?|~/.test(both.ours) || names(body ?? null, 'case_insensitive');
      return /AutomatonQuery \{\\norg\.apache/.test(both.theirs) && isPattern;
    },
  },
  {
    reason:
      'OpenSearch 2 tells choices, the terms of a pattern and clauses in the order of their hashes; Elasticsearch 7.10 in that of fields and terms',
    matches: (_, difference) => {
      const both = texts(difference);
      return both !== null && orderedText(both.ours) === orderedText(both.theirs);
    },
  },
  {
    reason: 'Lucene 9 tells what joins a document in other words than the Lucene 8 of version 7.10',
    matches: (_, difference) => {
      const both = texts(difference);
      return both?.theirs.replace('A match, join value', 'Score based on join value') === both?.ours && both !== null;
    },
  },
  {
    reason: 'Lucene 9 tells patterns and ranges of terms as constant scores, Lucene 8 as they are',
    matches: (_, difference) => {
      const both = texts(difference);
      if (both === null) return false;
      const bare = /^"ConstantScore\((.*)\)( doesn't match)?"$/s.exec(both.theirs);
      return bare !== null && both.ours === `"${bare[1]}${bare[2] ?? ''}"`;
    },
  },
  {
    reason: 'OpenSearch 2 asks a column for a set of numbers, where Elasticsearch 7.10 asks points, which sort them',
    matches: (_, difference) => {
      const both = texts(difference);
      const set = both === null ? null : /^"([\w.]+): \[([-\d, ]*)\]( doesn't match)?"$/.exec(both.theirs);
      if (set === null) return false;
      const [start, end] = [`"${set[1]}:{`, `}${set[3] ?? ''}"`];
      if (!both.ours.startsWith(start) || !both.ours.endsWith(end)) return false;
      return isSameSet(both.ours.slice(start.length, -end.length).split(' '), set[2].split(', '));
    },
  },
  {
    reason: 'OpenSearch 2 asks a column for an address, and tells its bytes; Elasticsearch 7.10 asks points',
    matches: (_, difference) => {
      const both = texts(difference);
      const field = both === null ? null : /^"([\w.]+):\[\[[0-9a-f ]+\] TO \[[0-9a-f ]+\]\]/.exec(both.theirs);
      return field !== null && both.ours.startsWith(`"${field[1]}:[`);
    },
  },
  {
    reason:
      'in one segment the queue of a completion fills with equal texts of other documents, and drops what comes behind',
    matches: ({ body }, difference) => {
      const counts = /^suggest\.\w+\[0\]\.options: (\d+) items .*, not (\d+) /s.exec(difference);
      return names(body, 'completion') && counts !== null && Number(counts[1]) > Number(counts[2]);
    },
  },
  {
    reason: 'clauses of spans that are no objects are passed over by OpenSearch, and refused here',
    matches: (_, difference) => /^status: 400 .*\[clauses\] must be of type span query.*, not 200$/s.test(difference),
  },
  {
    reason:
      'a query that matches nothing is not made by OpenSearch, which then cannot say what is wrong with its other clauses',
    matches: ({ body }, difference) =>
      (names(body, 'match_none') || exactJson(body ?? null).includes('"ids":{"values":[]')) &&
      /^status: 400 \{"type":"query_shard_exception".*, not 200$/s.test(difference),
  },
  {
    reason: 'of several documents for which a function fails, which is told first follows from the order of documents',
    matches: (_, difference) => {
      const { ours, theirs } = parts(difference);
      const plain = (text) => text.replaceAll(/\[-?[\d.E]+\]/g, '[]');
      return ours.includes('must not produce negative scores') && plain(ours) === plain(theirs);
    },
  },
  {
    reason: 'a percolation and a join are told by what is asked for, not by the query that it becomes',
    matches: (_, difference) => {
      const both = texts(difference);
      const own = both === null ? null : /^"((?:PercolateQuery|GlobalOrdinalsQuery)\b.*?)\}?"$/.exec(both.ours);
      return own !== null && both.theirs.startsWith(`"${own[1]}`);
    },
  },
  {
    reason: 'OpenSearch fails in its own code',
    matches: (_, difference) =>
      /^status: (?:200|400 .*), not 500 \{"type":"(?:(?:array_)?index_out_of_bounds|null_pointer|unsupported_operation)_exception"/s.test(
        difference,
      ) ||
      /^status: 200, not 400 .*(?:Sub-iterators of ConjunctionDISI|async actions are left after rewrite)/s.test(
        difference,
      ),
  },
  {
    reason: 'OpenSearch 2 tells best-of queries with a tie breaker of 1 as sums',
    matches: (_, difference) => {
      const both = texts(difference);
      return both !== null && isSumOfBest(both.ours, both.theirs);
    },
  },
  {
    reason: 'Lucene 9 tells optional clauses as required where so many have to match',
    matches: (_, difference) => {
      const both = texts(difference);
      return both !== null && isAllRequired(both.ours, both.theirs);
    },
  },
  {
    reason: 'Lucene 9 tells a field that every document has as all documents',
    matches: (_, difference) => {
      const both = texts(difference);
      return both !== null && both.ours.replaceAll(/FieldExistsQuery \[field=[\w.]+\]/g, '*:*') === both.theirs;
    },
  },
  {
    reason: 'of several fields that a pattern finds, each with a mistake, OpenSearch names the first by its hash',
    matches: ({ body, lines }, difference) =>
      hasPattern(body ?? lines) &&
      /\.reason: "failed to create query: .*", not "failed to create query: (?:Can only use|Queries on|For input string)/.test(
        difference,
      ),
  },
  {
    reason: 'the peer tells a wrapped error of a search among several as one without a type',
    matches: (request, difference) =>
      request.class === '_msearch' &&
      /^responses\[\d+\]\.error\.root_cause\[0\]\.type: "\w+", not "exception"$/.test(difference),
  },
  {
    reason: 'the peer fails to print the sort value of a document without an instant',
    matches: (_, difference) => /^status: 200, not 500 .*nanoseconds \[-?\d+\] are before the epoch/s.test(difference),
  },
  {
    reason: 'Lucene 9 computes how near a word is in one division less: the last bit of a float differs',
    matches: ({ body }, difference) => {
      const { path, ours, theirs } = parts(difference);
      const isLastBit = Math.abs(Number(ours) / Number(theirs) - 1) < 2 ** -22;
      return names(body, 'term') && /^suggest\..*\.score$/.test(path) && isLastBit;
    },
  },
  {
    reason: 'a filter of hits keeps documents from being scored at all, and with it the error of a negative score',
    matches: ({ body }, difference) =>
      body?.post_filter !== undefined && /^status: 200, not 400 .*must not produce negative scores/s.test(difference),
  },
  {
    reason: 'the name of an error is told with its package by Elasticsearch 7.10 where the body cannot be read',
    matches: (request, difference) => {
      const { path, ours, theirs } = parts(difference);
      const plain = /^"org\.elasticsearch\.common\.ParsingException: (.*)"$/s.exec(ours)?.[1];
      return request.class === '_validate' && path === 'error' && theirs === `"ParsingException[${plain}]"`;
    },
  },
  {
    reason: 'a query may have 4,096 clauses here, 1,024 in the peer',
    matches: (_, difference) => /^status: 200, not 500 \{"type":"too_many_clauses"/.test(difference),
  },
  {
    reason: 'OpenSearch names the members of a point otherwise',
    matches: (_, difference) =>
      /: "(?:longitude|latitude) must be a number", not "(?:lon|lat) must be a number"$/.test(difference),
  },
  {
    reason: 'OpenSearch 2 makes a sum of a best-of query with a tie breaker of 1; Elasticsearch 7.10 does not',
    matches: (_, difference) =>
      /: "max plus 1\.0 times others of:", not "sum of:"$/.test(difference) ||
      /: "No matching clause", not "No matching clauses"$/.test(difference),
  },
  {
    reason:
      'OpenSearch 2 drops the boost of a query whose scores nobody asks for, and with it what a least score would let through',
    matches: ({ body }, difference) =>
      names(body, 'min_score') &&
      names(body, 'boost') &&
      ((body?.size === 0 && /value: (?:\d+, not 0|0, not \d+)$/.test(difference)) ||
        (body?.sort !== undefined &&
          !names(body.sort, '_score') &&
          /^hits\.total\.value: \d+, not \d+$/.test(difference)) ||
        /^count: \d+, not \d+$/.test(difference)),
  },
  {
    reason: 'messages of Elasticsearch name its own packages',
    matches: (_, difference) => {
      const { ours, theirs } = parts(difference);
      return theirs.includes('org.opensearch') && theirs.replaceAll('org.opensearch', 'org.elasticsearch') === ours;
    },
  },
  {
    reason: 'the last millisecond of 64 bits is no number that a double holds',
    matches: (_, difference) =>
      difference.endsWith('"+292278994-08-17T07:12:55.808Z", not "+292278994-08-17T07:12:55.807Z"'),
  },
];

/**
 * The reason why `difference` is right, or null.
 *
 * @param answers ours and the peer's, as `{status, text}`; left out where only the difference is known
 */
export function explanationOf(request, difference, answers = null) {
  return reasonOf(request, difference, answers === null ? null : answers.map(comparable));
}

function reasonOf(request, difference, trees) {
  const known = [...EXPLAINED, ...EXPLAINED_INGEST, ...EXPLAINED_AGGREGATIONS].find(({ matches }) =>
    matches(request, difference),
  );
  if (known !== undefined || trees === null) return known?.reason ?? null;
  return (
    [...EXPLAINED_ESTIMATES, ...EXPLAINED_BY_ANSWERS].find(({ matches }) => matches(request, difference, ...trees))
      ?.reason ?? null
  );
}

/**
 * What of two answers differs: the first difference that has no reason, or null, and each reason with the first difference it explains.
 */
export function explainedOf(request, answers) {
  const reasons = new Map();
  let trees = null;
  const difference = differenceOf(...answers, (one) => {
    trees ??= answers.map(comparable);
    const reason = reasonOf(request, one, trees);
    if (reason !== null && !reasons.has(reason)) reasons.set(reason, one);
    return reason !== null;
  });
  return { difference, reasons };
}
