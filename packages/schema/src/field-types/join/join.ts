/**
 * Declaration of `join`: documents of one index that are parents and children of each other, by the names of their kinds.
 */
import { type JsonObject, own } from '../../declaration/json-object.ts';
import { mapperParsing } from '../../declaration/mapping-error.ts';
import { type JoinRelations, readRelations } from '../../declaration/relations.ts';
import { type DeclaredType, NO_SETTINGS } from '../contract/declared-type.ts';
import { META, withoutEffect } from '../contract/parameter-rule.ts';

export const JOIN: DeclaredType = {
  parameters: new Map([
    ['relations', { kind: 'relations', otherwise: null, change: 'always' } as const],
    [
      'eager_global_ordinals',
      withoutEffect(
        true,
        ['true', 'false'],
        'it says when ordinals are made, and they are part of each segment',
        'always',
      ),
    ],
    ['meta', META],
  ]),
  implied: new Map<string, unknown>([
    ['index', true],
    ['doc_values', true],
  ]),
  // A name with the id of the parent.
  isWhole: (value) => !Array.isArray(value),
  check: (name, json) => {
    for (const key of ['copy_to', 'fields']) {
      if (own(json, key) === undefined) continue;
      throw mapperParsing(`unknown parameter [${key}] on mapper [${name}] of type [join]`);
    }
  },
  settings: (value) => ({ ...NO_SETTINGS, relations: relationsOf(value('relations')) }),
  storedValue: () => null,
};

function relationsOf(json: unknown): JoinRelations {
  // Checked when the mapping was made.
  return readRelations('', (json ?? {}) as JsonObject);
}
