/**
 * Capabilities of fields over several indices: which types a field has, and where it can be searched and aggregated.
 *
 * Pure: mappings in, the body of `_field_caps` out. Objects on the way to a field that is asked for are answered too.
 */
import { assert, matchesAny, type Steps } from '@shoal/core';
import {
  anyDeclarationAt,
  type FieldMapping,
  type Mapping,
  type MappingJson,
  sideFieldKind,
  typeOfField,
} from '@shoal/schema';
import { isTree, type StatsTree } from '../bodies/stats-tree.ts';

type Json = Readonly<Record<string, unknown>>;

/** One field of one index. */
interface FieldCapability {
  readonly type: string;
  readonly isMetadata: boolean;
  readonly isSearchable: boolean;
  readonly isAggregatable: boolean;
  /** `meta` of the declaration; empty without. */
  readonly meta: StatsTree;
}

/** Capabilities of one index by the name of the field. */
export type IndexCapabilities = ReadonlyMap<string, FieldCapability>;

/** Capabilities of the indices that have a field with one type, by index. */
type TypeCapabilities = Map<string, FieldCapability>;

const METADATA_FIELDS: IndexCapabilities = new Map([
  ['_data_stream_timestamp', metadataField('_data_stream_timestamp', { isSearchable: false, isAggregatable: false })],
  ['_doc_count', metadataField('integer', { isSearchable: false, isAggregatable: false })],
  ['_feature', metadataField('_feature', { isSearchable: false, isAggregatable: false })],
  ['_field_names', metadataField('_field_names', { isSearchable: true, isAggregatable: false })],
  ['_ignored', metadataField('_ignored', { isSearchable: true, isAggregatable: true })],
  ['_index', metadataField('_index', { isSearchable: true, isAggregatable: true })],
  ['_nested_path', metadataField('_nested_path', { isSearchable: true, isAggregatable: false })],
  ['_routing', metadataField('_routing', { isSearchable: true, isAggregatable: false })],
  ['_seq_no', metadataField('_seq_no', { isSearchable: true, isAggregatable: true })],
  ['_source', metadataField('_source', { isSearchable: false, isAggregatable: false })],
  ['_version', metadataField('_version', { isSearchable: false, isAggregatable: true })],
]);
const UNMAPPED: FieldCapability = {
  type: 'unmapped',
  isMetadata: false,
  isSearchable: false,
  isAggregatable: false,
  meta: {},
};

/** Fields that Elasticsearch keeps for a field of stored queries, by the end of their names: type, searchable, aggregatable. */
const PERCOLATOR_FIELDS: readonly (readonly [
  name: string,
  type: string,
  isSearchable: boolean,
  isAggregatable: boolean,
])[] = [
  ['extracted_terms', 'keyword', true, false],
  ['extraction_result', 'keyword', true, false],
  ['minimum_should_match_field', 'integer', false, true],
  ['query_builder_field', 'binary', false, true],
  ['range_field', 'ip_range', true, false],
];

/** Fields that no mapping declares: one for each kind of parent of a join, and those of stored queries. */
function fieldsWithin(name: string, field: FieldMapping): readonly (readonly [string, FieldCapability])[] {
  const inner = { isMetadata: false, meta: {} };
  if (field.kind === 'join') {
    const parent = { ...inner, type: 'parent', isSearchable: true, isAggregatable: true };
    return [...field.relations.keys()].map((kind) => [`${name}#${kind}`, parent] as const);
  }
  if (field.kind !== 'percolator') return [];
  return PERCOLATOR_FIELDS.map(
    ([end, type, isSearchable, isAggregatable]) =>
      [`${name}.${end}`, { ...inner, type, isSearchable, isAggregatable }] as const,
  );
}

/** Which fields are asked for. */
export interface WantedFields {
  /** Names and patterns of names. */
  readonly patterns: readonly string[];
  /** `+metadata`, `-metadata`, `-parent`, `-nested` and `-multifield`; other words choose nothing. */
  readonly filters: readonly string[];
  /** Types of fields; empty: all. */
  readonly types: readonly string[];
  /** Documents can be aggregated by their ids. */
  readonly allowsIdValues: boolean;
}

/** Paths of the fields that documents of an index have values of; null: fields without count too. */
export type FilledFields = ReadonlySet<string> | null;

/** The fields of an index that are asked for, with the objects above them. */
export function indexCapabilities(
  mapping: Mapping,
  { patterns, filters, types, allowsIdValues }: WantedFields,
  filled: FilledFields,
): IndexCapabilities {
  const found = new Map<string, FieldCapability>();
  const isWanted = ({ type, isMetadata }: FieldCapability): boolean =>
    (types.length === 0 || types.includes(type)) && !filters.includes(isMetadata ? '-metadata' : '+metadata');
  const id = metadataField('_id', { isSearchable: true, isAggregatable: allowsIdValues });
  for (const [name, capability] of new Map([...METADATA_FIELDS, ['_id', id]]))
    if (matchesAny(patterns, name) && isWanted(capability)) found.set(name, capability);
  for (const [name, field] of new Map([...mapping.passed, ...mapping.named])) {
    // Values of runtime fields are made when they are asked for.
    if (filled !== null && field.runtime === null && !filled.has(field.path)) continue;
    for (const [inner, capability] of fieldsWithin(name, field))
      if (matchesAny(patterns, inner) && isWanted(capability)) found.set(inner, capability);
    if (!matchesAny(patterns, name)) continue;
    if (isFilteredOut(mapping, field.path, filters)) continue;
    const capability: FieldCapability = {
      type: sideFieldKind(field) ?? typeOfField(field.kind).family ?? field.kind,
      isMetadata: false,
      // Completions are asked for by suggesters alone, and count as searchable.
      isSearchable: (field.isIndexed && field.kind !== 'percolator') || field.kind === 'completion',
      // The column of vectors is one for scripts.
      isAggregatable: (field.hasDocValues && field.vectors === null) || field.fielddata !== null,
      meta: declaredMeta(mapping.json, field.path),
    };
    if (!isWanted(capability)) continue;
    found.set(name, capability);
    if (filters.includes('-parent')) continue;
    // An alias shows the objects above what it stands for.
    for (const path of parentsOf(field.path)) {
      if (mapping.isObject(path)) found.set(path, { ...UNMAPPED, type: objectType(mapping, path) });
    }
  }
  return found;
}

/**
 * The body of the answer, a step a field.
 *
 * @param includeUnmapped list the indices that lack a field under the type `unmapped` of that field
 */
export function* fieldCapabilitiesBody(
  indices: ReadonlyMap<string, IndexCapabilities>,
  includeUnmapped: boolean,
): Steps<Json> {
  const names = new Set([...indices.values()].flatMap((capabilities) => [...capabilities.keys()]));
  const fields: [string, Json][] = [];
  for (const name of [...names].sort()) {
    fields.push([name, fieldBody(name, indices, includeUnmapped)]);
    yield;
  }
  return { indices: [...indices.keys()], fields: Object.fromEntries(fields) };
}

function fieldBody(name: string, indices: ReadonlyMap<string, IndexCapabilities>, includeUnmapped: boolean): Json {
  const byType = new Map<string, TypeCapabilities>();
  for (const [index, capabilities] of indices) {
    const capability = capabilities.get(name) ?? (includeUnmapped ? UNMAPPED : null);
    if (capability === null) continue;
    const ofType = byType.get(capability.type) ?? new Map<string, FieldCapability>();
    byType.set(capability.type, ofType.set(index, capability));
  }
  assert(byType.size > 0, `field [${name}] was found in an index and is in none of ${indices.size}`);
  return Object.fromEntries([...byType].map(([type, ofType]) => [type, typeBody(type, ofType, byType.size > 1)]));
}

/** A list of indices is given where they differ: in the type, in being searchable, in being aggregatable. */
function typeBody(type: string, ofType: TypeCapabilities, hasOtherTypes: boolean): Json {
  const entries = [...ofType];
  const nonSearchable = entries.filter(([, capability]) => !capability.isSearchable).map(([index]) => index);
  const nonAggregatable = entries.filter(([, capability]) => !capability.isAggregatable).map(([index]) => index);
  const meta = mergedMeta(entries.map(([, capability]) => capability.meta));
  return {
    type,
    metadata_field: entries.every(([, capability]) => capability.isMetadata),
    searchable: nonSearchable.length === 0,
    aggregatable: nonAggregatable.length === 0,
    indices: hasOtherTypes ? entries.map(([index]) => index) : undefined,
    non_searchable_indices: isSome(nonSearchable, entries.length) ? nonSearchable : undefined,
    non_aggregatable_indices: isSome(nonAggregatable, entries.length) ? nonAggregatable : undefined,
    meta: Object.keys(meta).length === 0 ? undefined : meta,
  };
}

function isSome(indices: readonly string[], total: number): boolean {
  return indices.length > 0 && indices.length < total;
}

/** Every value that an index declares, by key, both in order. */
function mergedMeta(metas: readonly StatsTree[]): Json {
  const keys = [...new Set(metas.flatMap((meta) => Object.keys(meta)))].sort();
  return Object.fromEntries(
    keys.map((key) => [
      key,
      [...new Set(metas.flatMap((meta) => (Object.hasOwn(meta, key) ? [String(meta[key])] : [])))].sort(),
    ]),
  );
}

/** Fields of nested objects, and those that index another field's value once more, can be left out. */
function isFilteredOut(mapping: Mapping, path: string, filters: readonly string[]): boolean {
  if (filters.length === 0) return false;
  const parent = parentsOf(path).at(-1);
  const isMultiField = parent !== undefined && mapping.named.has(parent);
  const isNested = mapping.nestedAround(path) !== '';
  return (isMultiField && filters.includes('-multifield')) || (isNested && filters.includes('-nested'));
}

function objectType(mapping: Mapping, path: string): string {
  return mapping.objects.get(path)?.nested ? 'nested' : 'object';
}

/** `a` and `a.b` of `a.b.c`. */
function parentsOf(path: string): readonly string[] {
  const parts = path.split('.');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('.'));
}

/** `meta` of a field in the JSON of its mapping: below `properties` of objects, or `fields` of a field. */
function declaredMeta(json: MappingJson, path: string): StatsTree {
  const meta = anyDeclarationAt(json, path)?.meta;
  return isTree(meta) ? meta : {};
}

function metadataField(type: string, use: Pick<FieldCapability, 'isSearchable' | 'isAggregatable'>): FieldCapability {
  return { type, isMetadata: true, meta: {}, ...use };
}
