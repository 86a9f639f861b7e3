/**
 * `_mapping/field`: the declarations of single fields, found in a mapping by full name or pattern.
 */
import { matchesAny } from '@shoal/core';
import { isTree, type StatsTree } from '../../bodies/stats-tree.ts';

type Json = Readonly<Record<string, unknown>>;

interface Field {
  readonly fullName: string;
  readonly leafName: string;
  readonly declaration: Json;
}

/** Deeper mappings are refused when they are declared; a bound all the same. */
const DEPTH_MAX = 64;
/** Defaults of a field that `include_defaults` adds. */
const FIELD_DEFAULTS: Json = { index: true, store: false };
const TEXT_DEFAULTS: Json = { ...FIELD_DEFAULTS, norms: true, index_options: 'positions', analyzer: 'default' };
const DOC_VALUE_DEFAULTS: Json = { ...FIELD_DEFAULTS, doc_values: true };

/** Fields of one index that the patterns name: objects are no fields, sub-fields of `fields` are. */
export function fieldMappingsBody(mapping: Json, patterns: readonly string[], includeDefaults: boolean): Json {
  const fields = collectFields(mapping, '', 0).filter(({ fullName }) => matchesAny(patterns, fullName));
  return Object.fromEntries(
    fields.map(({ fullName, leafName, declaration }) => [
      fullName,
      {
        full_name: fullName,
        mapping: { [leafName]: includeDefaults ? { ...defaultsOf(declaration), ...declaration } : declaration },
      },
    ]),
  );
}

function collectFields(declaration: StatsTree, prefix: string, depth: number): readonly Field[] {
  if (depth > DEPTH_MAX) return [];
  return ['properties', 'fields'].flatMap((part) => {
    const children = declaration[part];
    if (!isTree(children)) return [];
    return Object.entries(children).flatMap(([leafName, child]) => {
      if (!isTree(child)) return [];
      const fullName = prefix + leafName;
      const below = collectFields(child, `${fullName}.`, depth + 1);
      const isObject = child.type === undefined || child.type === 'object' || child.type === 'nested';
      return isObject ? below : [{ fullName, leafName, declaration: child }, ...below];
    });
  });
}

function defaultsOf(declaration: Json): Json {
  return declaration.type === 'text' ? TEXT_DEFAULTS : DOC_VALUE_DEFAULTS;
}
