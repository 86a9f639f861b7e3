/**
 * The items of a bulk's answer that differ in three values only: all the rest of an item is made once, as bytes, with
 * `filter_path` applied.
 */
import { filterTree, isTreeMap, type TreeMap } from '@shoal/http';

/** What differs from item to item. */
export type ItemHole = 'id' | 'version' | 'seqNo';

/** Bytes, and what stands behind them; null behind the last. */
export interface TemplatePart {
  readonly bytes: Uint8Array;
  readonly hole: ItemHole | null;
}

/** Stands for a value in the tree that is filtered: neither a map nor a list, so that it is left as it is. */
class Hole {
  readonly name: ItemHole;
  constructor(name: ItemHole) {
    this.name = name;
  }
}

export interface ItemFields {
  readonly action: string;
  readonly index: string;
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
    ['_id', new Hole('id')],
    ['_version', new Hole('version')],
    ['result', fields.result],
    ...(fields.forcedRefresh ? [['forced_refresh', true] as const] : []),
    ['_shards', new Map(Object.entries({ total: shards.total, successful: shards.successful, failed: shards.failed }))],
    ['_seq_no', new Hole('seqNo')],
    ['_primary_term', fields.primaryTerm],
    ['status', fields.status],
  ]);
  const kept = filterItem(new Map([[fields.action, item]]), filters);
  return kept === null ? null : partsOf(kept);
}

/** What the filters of an answer leave of one of its items; null for nothing. */
export function filterItem(item: TreeMap, filters: readonly string[]): TreeMap | null {
  const answer = filterTree(new Map([['items', [item]]]), filters);
  const items: unknown = isTreeMap(answer) ? answer.get('items') : null;
  const kept: unknown = Array.isArray(items) ? items[0] : null;
  return isTreeMap(kept) ? kept : null;
}

function partsOf(tree: TreeMap): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let text = '';
  const write = (value: unknown): void => {
    if (value instanceof Hole) {
      parts.push({ bytes: Buffer.from(text), hole: value.name });
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
  parts.push({ bytes: Buffer.from(text), hole: null });
  return parts;
}
