/**
 * Fields that a search shows beside the source: of which names, and in which format.
 */
import { type ItemReader, illegalArgument, type JsonNode, parsingException, tokenName, ValueReader } from '@shoal/core';
import { unknownField } from '../members/content-errors.ts';
import { readBoolean, readString } from '../members/request-values.ts';

/** One entry of `fields` or `docvalue_fields`. */
export interface ShownField {
  /** A name, or a pattern in which `*` stands for anything. */
  readonly pattern: string;
  /** null: the field's own. */
  readonly format: string | null;
  /** Fields that the mapping does not know are shown too; only for `fields`. */
  readonly includesUnmapped: boolean;
}

/** Format sent by older clients: the default now. */
const OWN_FORMAT = 'use_field_mapping';

export function parseShownFields(node: JsonNode, what: string): readonly ShownField[] {
  if (node.kind !== 'array') {
    throw parsingException(`Unknown key for a ${tokenName(node)} in [${what}].`, node.at);
  }
  return node.items.map((item) => shownField(item, what));
}

/** Fields that the URI names: without formats. */
export function shownFieldsOfParam(text: string): readonly ShownField[] {
  const names = text.split(',').filter((name) => name !== '');
  return names.map((pattern) => ({ pattern, format: null, includesUnmapped: false }));
}

function shownField(node: JsonNode, what: string): ShownField {
  if (node.kind !== 'object') return { pattern: readString(node, what), format: null, includesUnmapped: false };
  let pattern: string | null = null;
  let format: string | null = null;
  let includesUnmapped = false;
  for (const member of node.members) {
    const { name, value } = member;
    if (name === 'field') pattern = readString(value, name);
    else if (name === 'format') format = value.kind === 'null' ? null : readString(value, name);
    else if (name === 'include_unmapped' && what === 'fields') includesUnmapped = readBoolean(value, name);
    else throw unknownField(what, member);
  }
  if (pattern === null) throw illegalArgument('Required [field]');
  return { pattern, format: format === OWN_FORMAT ? null : format, includesUnmapped };
}

export const readShownField: ItemReader<ShownField> = (value, path) => {
  const r = ValueReader.of(value, path);
  return {
    pattern: r.string('pattern'),
    format: r.optionalString('format'),
    includesUnmapped: r.boolean('includesUnmapped'),
  };
};
