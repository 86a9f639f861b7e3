/**
 * Definitions of fields that a user adds or changes, as YAML: `8: [:ip4_addr, :ipv4_src_addr]`, `43: [:skip]`, those of IPFIX
 * below the number of their enterprise.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { lazy, messageOf, ShoalError } from '@shoal/core';
import type * as yaml from 'yaml';
import type { FieldDefinition, FieldKind, FieldTable } from './ipfix-fields.ts';

/** Seventy files: codecs are loaded by every thread of an agent, and definitions of fields are rare. */
const library = lazy(() => createRequire(import.meta.url)('yaml') as typeof yaml);

const KINDS: Readonly<Record<string, FieldKind>> = {
  ip4_addr: 'ipv4',
  ip6_addr: 'ipv6',
  mac_addr: 'mac',
  string: 'string',
  double: 'double',
  float: 'double',
  octetarray: 'octets',
  application_id: 'applicationId',
  acl_id_asa: 'aclId',
  mpls_label_stack_octets: 'mplsLabel',
  forwarding_status: 'forwardingStatus',
  skip: 'skip',
};

export function withNetflowDefinitions(
  fields: ReadonlyMap<number, FieldDefinition>,
  path: string,
): ReadonlyMap<number, FieldDefinition> {
  return new Map([...fields, ...definitions(yamlOf(path), path)]);
}

export function withIpfixDefinitions(table: FieldTable, path: string): FieldTable {
  const changed = new Map(table);
  for (const [enterprise, fields] of Object.entries(yamlOf(path))) {
    const number = numberOf(enterprise, path);
    if (typeof fields !== 'object' || fields === null) throw bad(path, `[${enterprise}] holds no fields`);
    changed.set(number, new Map([...(table.get(number) ?? []), ...definitions(fields, path)]));
  }
  return changed;
}

function definitions(fields: object, path: string): [number, FieldDefinition][] {
  return Object.entries(fields).map(([id, definition]: [string, unknown]) => {
    const [type, name] = Array.isArray(definition) ? definition.map(symbol) : [];
    if (type === undefined) throw bad(path, `[${id}] is no list of type and name`);
    const kind = /^(?:u?int\d+|\d+)$/.test(type) ? 'uint' : KINDS[type];
    if (kind === undefined) throw bad(path, `[${id}] has the unknown type [${type}]`);
    if (name === undefined && kind !== 'skip') throw bad(path, `[${id}] has no name`);
    return [numberOf(id, path), { kind, name: name ?? `field_${id}` }];
  });
}

function symbol(value: unknown): string {
  return String(value).trim().replace(/^:/, '');
}

function numberOf(text: string, path: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw bad(path, `[${text}] is no number of a field`);
  return number;
}

function yamlOf(path: string): object {
  let value: unknown;
  try {
    value = library().parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw bad(path, messageOf(error));
  }
  if (typeof value !== 'object' || value === null) throw bad(path, 'it holds no fields');
  return value;
}

function bad(path: string, why: string): ShoalError {
  return new ShoalError(
    'illegal_argument_exception',
    400,
    `the definitions of fields in [${path}] cannot be used: ${why}`,
  );
}
