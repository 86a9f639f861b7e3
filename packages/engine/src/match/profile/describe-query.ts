/**
 * Queries as people read them in a profile: a name of their kind, and a line in the notation of query strings.
 */
import { asQuery, type BoolQuery, type Query, type QueryNode } from '@shoal/query';

export interface QueryDescription {
  readonly type: string;
  readonly description: string;
}

export function describeQuery(query: Query): QueryDescription {
  return { type: typeOf(query), description: textOf(query) };
}

function typeOf(query: Query): string {
  switch (query.kind) {
    case 'matchAll':
      return 'MatchAllDocsQuery';
    case 'matchNone':
      return 'MatchNoDocsQuery';
    case 'terms':
    case 'ids':
      return 'TermInSetQuery';
    case 'matchPhrase':
      return 'PhraseQuery';
    case 'matchPhrasePrefix':
      return 'MultiPhrasePrefixQuery';
    case 'multiMatch':
    case 'disMax':
      return 'DisjunctionMaxQuery';
    case 'match':
    case 'matchBoolPrefix':
      return /\s/.test(String(query.value).trim()) ? 'BooleanQuery' : 'TermQuery';
    case 'bool':
      return 'BooleanQuery';
    default:
      return `${query.kind.charAt(0).toUpperCase()}${query.kind.slice(1)}Query`;
  }
}

function textOf(query: QueryNode): string {
  const { boost } = query;
  const text = plainText(asQuery(query));
  return boost === 1 ? text : `(${text})^${boost}`;
}

function plainText(query: Query): string {
  switch (query.kind) {
    case 'matchAll':
      return '*:*';
    case 'matchNone':
      return 'MatchNoDocsQuery("")';
    case 'term':
      return `${query.field}:${query.value}`;
    case 'terms':
      return `${query.field}:(${query.values.join(' ')})`;
    case 'range':
      return `${query.field}:${query.includesFrom ? '[' : '{'}${query.from ?? '*'} TO ${query.to ?? '*'}${query.includesTo ? ']' : '}'}`;
    case 'exists':
      return `ConstantScore(exists:${query.field})`;
    case 'prefix':
      return `${query.field}:${query.value}*`;
    case 'wildcard':
      return `${query.field}:${query.value}`;
    case 'regexp':
      return `${query.field}:/${query.value}/`;
    case 'fuzzy':
      return `${query.field}:${query.value}~${query.fuzziness}`;
    case 'ids':
      return `_id:(${query.values.join(' ')})`;
    case 'bool':
      return clausesText(query);
    case 'constantScore':
      return `ConstantScore(${textOf(query.filter)})`;
    case 'disMax':
      return `(${query.queries.map(textOf).join(' | ')})`;
    case 'boosting':
      return `BoostingQuery(${textOf(query.positive)}, ${textOf(query.negative)})`;
    case 'match':
    case 'matchBoolPrefix':
      return wordsText(query.field, String(query.value));
    case 'matchPhrase':
    case 'matchPhrasePrefix':
      return `${query.field}:"${query.value}"${query.slop > 0 ? `~${query.slop}` : ''}`;
    case 'multiMatch':
      return `(${query.fields.map(({ pattern }) => wordsText(pattern, String(query.value))).join(' | ')})`;
    case 'queryString':
    case 'simpleQueryString':
      return query.text;
    default:
      return '';
  }
}

function clausesText({ must, filter, should, mustNot }: BoolQuery): string {
  return [
    ...must.map((clause) => `+${nested(clause)}`),
    ...filter.map((clause) => `#${nested(clause)}`),
    ...should.map(nested),
    ...mustNot.map((clause) => `-${nested(clause)}`),
  ].join(' ');
}

function nested(query: QueryNode): string {
  const text = textOf(query);
  return query.kind === 'bool' || text.includes(' ') ? `(${text})` : text;
}

/** Before analysis: the field's analyzer belongs to the shard. */
function wordsText(field: string, text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `${field}:${word}`)
    .join(' ');
}
