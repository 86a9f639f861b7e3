/**
 * `indices.mappings` of `_cluster/stats`: how many fields of each type indices declare.
 */
import type { IndexMetadata } from '@shoal/cluster-state';
import { StepMeter, type Steps } from '@shoal/core';
import { isTree, type StatsTree } from '../bodies/stats-tree.ts';
import { TypeCounts } from './type-counts.ts';

type Json = Readonly<Record<string, unknown>>;

/** Estimated cost of counting a field, in microseconds. */
const FIELD_UNITS = 1;
/** Keys of a field under which fields stand. */
const NESTING_KEYS = ['properties', 'fields'];

/** The body in steps. */
export function* mappingStatsBody(indices: Iterable<IndexMetadata>): Steps<Json> {
  const types = new TypeCounts();
  const runtimeTypes = new TypeCounts();
  const meter = new StepMeter();
  let fields = 0;
  const sourceModes = new Map<string, number>();
  for (const { name, mapping } of indices) {
    const mode = isTree(mapping._source) && mapping._source.enabled === false ? 'disabled' : 'stored';
    sourceModes.set(mode, (sourceModes.get(mode) ?? 0) + 1);
    for (const type of fieldTypes(mapping)) {
      types.add(type, name);
      fields++;
      if (meter.isDue(FIELD_UNITS)) yield;
    }
    for (const runtime of Object.values(isTree(mapping.runtime) ? mapping.runtime : {})) {
      if (isTree(runtime) && typeof runtime.type === 'string') runtimeTypes.add(runtime.type, name);
    }
  }
  return {
    total_field_count: fields,
    field_types: types.body({ script_count: 0 }),
    runtime_field_types: runtimeTypes.body(),
    source_modes: Object.fromEntries(sourceModes),
  };
}

/** Types of all fields below a mapping or a field, multi-fields and objects among them. */
function* fieldTypes(parent: StatsTree): Generator<string> {
  for (const key of NESTING_KEYS) {
    const fields = parent[key];
    if (!isTree(fields)) continue;
    for (const field of Object.values(fields).filter(isTree)) {
      yield typeof field.type === 'string' ? field.type : 'object';
      yield* fieldTypes(field);
    }
  }
}
