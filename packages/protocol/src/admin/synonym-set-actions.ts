/** Changes of synonym sets as messages: any node → elected cluster manager. */

import { readSynonymRule, readSynonymSetFields, type SynonymRule, type SynonymSet } from '@shoal/cluster-state';
import type { ActionCodec } from '@shoal/transport';
import { type AcknowledgedMessage, acknowledgedAction, type TimeoutsMessage } from './manager-codec.ts';

/** The whole set, also where there is one of its id. */
export type PutSynonymSetMessage = TimeoutsMessage & SynonymSet;

export interface DeleteSynonymSetMessage extends TimeoutsMessage {
  readonly id: string;
}

/** One rule of a set that there is: `rule` takes the place of the one with its id. */
export interface PutSynonymRuleMessage extends TimeoutsMessage {
  readonly set: string;
  readonly rule: SynonymRule;
}

export interface DeleteSynonymRuleMessage extends TimeoutsMessage {
  readonly set: string;
  readonly ruleId: string;
}

export const PUT_SYNONYM_SET: ActionCodec<PutSynonymSetMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/synonyms/put',
  readSynonymSetFields,
);

export const DELETE_SYNONYM_SET: ActionCodec<DeleteSynonymSetMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/synonyms/delete',
  (r) => ({ id: r.string('id') }),
);

export const PUT_SYNONYM_RULE: ActionCodec<PutSynonymRuleMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/synonym_rules/put',
  (r) => ({ set: r.string('set'), rule: readSynonymRule(r.raw('rule'), 'rule') }),
);

export const DELETE_SYNONYM_RULE: ActionCodec<DeleteSynonymRuleMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/synonym_rules/delete',
  (r) => ({ set: r.string('set'), ruleId: r.string('ruleId') }),
);
