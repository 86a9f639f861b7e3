/**
 * Fields that a search shows beside the source: of which names, and in which format.
 */
import {
  contentError,
  type ItemReader,
  illegalArgument,
  type JsonNode,
  parsingException,
  tokenName,
  ValueReader,
} from '@shoal/core';
import { BOOLEANS, type NodeKinds, readField, STRINGS, unknownField } from '../members/content-errors.ts';
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

/** Name that errors of an entry have, whichever list it stands in. */
const ENTRY = 'docvalues_field';
const FORMATS: NodeKinds = ['string', 'null'];

/** Format sent by older clients: the default now. */
const OWN_FORMAT = 'use_field_mapping';

export function parseShownFields(node: JsonNode, what: string): readonly ShownField[] {
  if (node.kind !== 'array') {
    throw parsingException(`Unknown key for a ${tokenName(node)} in [${what}].`, node.at);
  }
  return node.items.flatMap((item, at) => {
    const next = node.items[at + 1];
    // A real server reads the object behind a null in its place.
    return item.kind === 'null' && next?.kind === 'object' ? [] : [shownField(item, next, what)];
  });
}

/** Fields that the URI names: without formats. */
export function shownFieldsOfParam(text: string): readonly ShownField[] {
  const names = text.split(',').filter((name) => name !== '');
  return names.map((pattern) => ({ pattern, format: null, includesUnmapped: false }));
}

/** @param next entry behind it: errors name what stands there where a value is no entry */
function shownField(node: JsonNode, next: JsonNode | undefined, what: string): ShownField {
  if (node.kind === 'array' || node.kind === 'null') {
    const following = node.kind === 'array' ? node.items[0] : next;
    const told = following === undefined ? 'END_ARRAY' : tokenName(following);
    throw contentError((following ?? node).at, `[${ENTRY}] Expected START_OBJECT but was: ${told}`);
  }
  if (node.kind !== 'object') return { pattern: readString(node, what), format: null, includesUnmapped: false };
  let pattern: string | null = null;
  let format: string | null = null;
  let includesUnmapped = false;
  for (const member of node.members) {
    const { name, value } = member;
    if (name === 'field') pattern = readField(ENTRY, member, () => readString(value, name), STRINGS);
    else if (name === 'format')
      format = readField(ENTRY, member, () => (value.kind === 'null' ? null : readString(value, name)), FORMATS);
    else if (name === 'include_unmapped' && what === 'fields')
      includesUnmapped = readField(ENTRY, member, () => readBoolean(value, name), BOOLEANS);
    else throw unknownField(ENTRY, member);
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
