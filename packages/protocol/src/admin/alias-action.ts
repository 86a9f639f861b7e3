/** Changes of aliases as a message: any node → elected cluster manager. */

import { readPlainObject } from '@shoal/cluster-state';
import { type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import { type AcknowledgedMessage, acknowledgedAction, type TimeoutsMessage } from './manager-codec.ts';

export type AliasChange =
  | {
      readonly kind: 'add';
      readonly index: string;
      readonly alias: string;
      readonly filter: Readonly<Record<string, unknown>> | null;
      readonly indexRouting: string | null;
      readonly searchRouting: string | null;
      readonly isWriteIndex: boolean | null;
      readonly isHidden: boolean | null;
    }
  | { readonly kind: 'remove'; readonly index: string; readonly alias: string; readonly mustExist: boolean }
  | { readonly kind: 'remove_index'; readonly index: string };

export interface UpdateAliasesMessage extends TimeoutsMessage {
  readonly actions: readonly AliasChange[];
}

const ACTIONS_MAX = 100_000;

export const UPDATE_ALIASES: ActionCodec<UpdateAliasesMessage, AcknowledgedMessage> = acknowledgedAction(
  'indices:admin/aliases',
  (r) => ({ actions: r.list('actions', readChange, ACTIONS_MAX) }),
);

const readChange: ItemReader<AliasChange> = (value, field) => {
  const r = ValueReader.of(value, field);
  const index = r.string('index');
  switch (r.oneOf('kind', ['add', 'remove', 'remove_index'])) {
    case 'remove_index':
      return { kind: 'remove_index', index };
    case 'remove':
      return { kind: 'remove', index, alias: r.string('alias'), mustExist: r.boolean('mustExist') };
    case 'add':
      return {
        kind: 'add',
        index,
        alias: r.string('alias'),
        filter: r.optional('filter', readPlainObject),
        indexRouting: r.optionalString('indexRouting'),
        searchRouting: r.optionalString('searchRouting'),
        isWriteIndex: r.optional('isWriteIndex', ValueReader.asBoolean),
        isHidden: r.optional('isHidden', ValueReader.asBoolean),
      };
  }
};
