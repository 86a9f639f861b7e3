/**
 * What one version of Elasticsearch takes and another refuses, among what a node here takes.
 */
import { partsOfPath } from './search-of-request.ts';

/** Major and minor, such as `7.14`. */
export type ElasticsearchVersion = `${number}.${number}`;

/** A request, in the parts that the facts are about. */
export interface UsedParts {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** Members of the body that it has at the top. */
  readonly members: ReadonlySet<string>;
  /** Kinds of queries, as parsed. */
  readonly queries: ReadonlySet<string>;
  /** Aggregations, by the names that requests use. */
  readonly aggregations: ReadonlySet<string>;
  /** Types of fields, of a request that declares some. */
  readonly fieldTypes: ReadonlySet<string>;
  /** Parameters of fields, likewise. */
  readonly fieldParameters: ReadonlySet<string>;
  /** Metadata of bulk actions. */
  readonly actionMembers: ReadonlySet<string>;
}

export interface VersionFact {
  readonly what: string;
  /** First version that takes it; null: all that count. */
  readonly since: ElasticsearchVersion | null;
  /** First version that refuses it; null: none so far. */
  readonly until: ElasticsearchVersion | null;
  readonly isIn: (used: UsedParts) => boolean;
}

type Test = VersionFact['isIn'];

const endpoint =
  (name: string): Test =>
  ({ path }) =>
    `${partsOfPath(path).api}/`.startsWith(`${name}/`);
const member =
  (name: string): Test =>
  ({ path, members }) =>
    members.has(name) && /\/_(async_)?search$/.test(path);
const query =
  (kind: string): Test =>
  ({ queries }) =>
    queries.has(kind);
const aggregation =
  (type: string): Test =>
  ({ aggregations }) =>
    aggregations.has(type);
const fieldType =
  (type: string): Test =>
  ({ fieldTypes }) =>
    fieldTypes.has(type);

const since = (version: ElasticsearchVersion, what: string, isIn: Test): VersionFact => {
  return { what, since: version, until: null, isIn };
};
const until = (version: ElasticsearchVersion, what: string, isIn: Test): VersionFact => {
  return { what, since: null, until: version, isIn };
};

/** Behind the name of a data stream, in a path. */
const SELECTOR = /(::|%3A%3A)(data|failures)/i;

export const VERSION_FACTS: readonly VersionFact[] = [
  until('8.0', 'the parameter [include_type_name]', ({ params }) => 'include_type_name' in params),
  until('8.0', '[_type] in an action of _bulk', ({ actionMembers }) => actionMembers.has('_type')),
  until('8.0', 'the query [common]', query('common')),
  until('8.0', 'the aggregation [moving_avg]', aggregation('moving_avg')),
  until('8.0', 'the parameter [boost] of a field', ({ fieldParameters }) => fieldParameters.has('boost')),
  until('8.0', 'the API [_flush/synced]', endpoint('_flush/synced')),
  since('7.4', 'the API [_slm]', endpoint('_slm')),
  since('7.5', 'the API [_enrich]', endpoint('_enrich')),
  since('7.7', 'the API [_async_search]', endpoint('_async_search')),
  since('7.8', 'the API [_index_template]', endpoint('_index_template')),
  since('7.8', 'the API [_component_template]', endpoint('_component_template')),
  since('7.9', 'the API [_data_stream]', endpoint('_data_stream')),
  since('7.9', 'the API [_resolve/index]', endpoint('_resolve/index')),
  since('7.10', 'the API [_pit]', endpoint('_pit')),
  since('7.14', 'the API [_terms_enum]', endpoint('_terms_enum')),
  since('8.7', 'the API [_health_report]', endpoint('_health_report')),
  since('8.10', 'the API [_synonyms]', endpoint('_synonyms')),
  since('8.19', 'selectors of index names', ({ path }) => SELECTOR.test(path)),
  since('7.10', '[fields] of a search', member('fields')),
  since('7.11', '[runtime_mappings] of a search', member('runtime_mappings')),
  since('7.13', 'the query [combined_fields]', query('combinedFields')),
  since('7.7', 'the aggregation [boxplot]', aggregation('boxplot')),
  since('7.7', 'the aggregation [top_metrics]', aggregation('top_metrics')),
  since('7.8', 'the aggregation [t_test]', aggregation('t_test')),
  since('7.9', 'the aggregation [variable_width_histogram]', aggregation('variable_width_histogram')),
  since('7.10', 'the aggregation [rate]', aggregation('rate')),
  since('7.12', 'the aggregation [multi_terms]', aggregation('multi_terms')),
  since('7.7', 'the field type [constant_keyword]', fieldType('constant_keyword')),
  since('7.9', 'the field type [wildcard]', fieldType('wildcard')),
  since('7.10', 'the field type [unsigned_long]', fieldType('unsigned_long')),
  since('7.10', 'the field type [version]', fieldType('version')),
  since('7.14', 'the field type [match_only_text]', fieldType('match_only_text')),
];

/** @returns below 0 when `a` is older */
export function compareVersions(a: ElasticsearchVersion, b: ElasticsearchVersion): number {
  const [majorA = 0, minorA = 0] = a.split('.').map(Number);
  const [majorB = 0, minorB = 0] = b.split('.').map(Number);
  return majorA - majorB || minorA - minorB;
}
