/**
 * The items of a bulk's answer that differ in three values only: all the rest of an item is made once, as bytes, with
 * `filter_path` applied.
 */
import { filterTree, isTreeMap, type TreeMap } from '@shoal/http';

/** Values that differ from item to item. */
export type VariableName = 'id' | 'version' | 'seqNo';

/** Fixed bytes of an item and the value that follows them; null after the last. */
export interface TemplatePart {
  readonly bytes: Uint8Array;
  readonly variable: VariableName | null;
}

/** Placeholder of a variable value in the tree that is filtered: neither a map nor a list, so that filtering leaves it as it is. */
class Variable {
  readonly name: VariableName;
  constructor(name: VariableName) {
    this.name = name;
  }
}

export interface ItemFields {
  readonly action: string;
  readonly index: string;
  /** null: the answer has no types. */
  readonly type: string | null;
  readonly result: string;
  readonly forcedRefresh: boolean;
  readonly shards: { readonly total: number; readonly successful: number; readonly failed: number };
  readonly primaryTerm: number;
  readonly status: number;
}

/** null when the filters leave nothing of such an item. */
export function itemTemplate(fields: ItemFields, filters: readonly string[]): readonly TemplatePart[] | null {
  const { shards } = fields;
  const item = new Map<string, unknown>([
    ['_index', fields.index],
    ...(fields.type === null ? [] : [['_type', fields.type] as const]),
    ['_id', new Variable('id')],
    ['_version', new Variable('version')],
    ['result', fields.result],
    ...(fields.forcedRefresh ? [['forced_refresh', true] as const] : []),
    ['_shards', new Map(Object.entries({ total: shards.total, successful: shards.successful, failed: shards.failed }))],
    ['_seq_no', new Variable('seqNo')],
    ['_primary_term', fields.primaryTerm],
    ['status', fields.status],
  ]);
  const shown = filterItem(new Map([[fields.action, item]]), filters);
  return shown === null ? null : partsOf(shown);
}

/** The part of an item that `filter_path` leaves; null for nothing. */
export function filterItem(item: TreeMap, filters: readonly string[]): TreeMap | null {
  const answer = filterTree(new Map([['items', [item]]]), filters);
  const items: unknown = isTreeMap(answer) ? answer.get('items') : null;
  const shown: unknown = Array.isArray(items) ? items[0] : null;
  return isTreeMap(shown) ? shown : null;
}

function partsOf(tree: TreeMap): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let text = '';
  const write = (value: unknown): void => {
    if (value instanceof Variable) {
      parts.push({ bytes: Buffer.from(text), variable: value.name });
      text = '';
    } else if (isTreeMap(value)) {
      text += '{';
      let isFirst = true;
      for (const [name, entry] of value) {
        text += `${isFirst ? '' : ','}${JSON.stringify(name)}:`;
        isFirst = false;
        write(entry);
      }
      text += '}';
    } else text += JSON.stringify(value);
  };
  write(tree);
  parts.push({ bytes: Buffer.from(text), variable: null });
  return parts;
}
