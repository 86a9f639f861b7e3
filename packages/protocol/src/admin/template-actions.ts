/** Changes of templates as messages: any node → elected cluster manager. */

import { readPlainObject, TEMPLATE_KINDS, type TemplateKind } from '@shoal/cluster-state';
import { ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import {
  type AcknowledgedMessage,
  acknowledgedAction,
  managerAction,
  plain,
  reader,
  type TimeoutsMessage,
} from './manager-codec.ts';

export interface PutTemplateMessage extends TimeoutsMessage {
  readonly kind: TemplateKind;
  readonly name: string;
  /** A template of that name is an error. */
  readonly create: boolean;
  /** JSON as the user sent it; validated by the cluster manager. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface PutTemplateAnswer extends AcknowledgedMessage {
  /** Deprecations that the user is told of. */
  readonly warnings: readonly string[];
}

export interface DeleteTemplatesMessage extends TimeoutsMessage {
  readonly kind: TemplateKind;
  /** Names and patterns of names. */
  readonly names: readonly string[];
}

const WARNINGS_MAX = 100;
const NAMES_MAX = 10_000;

export const PUT_TEMPLATE: ActionCodec<PutTemplateMessage, PutTemplateAnswer> = managerAction(
  'indices:admin/index_template/put',
  (r) => ({
    kind: r.oneOf('kind', TEMPLATE_KINDS),
    name: r.string('name'),
    create: r.boolean('create'),
    body: readPlainObject(r.raw('body'), 'body'),
  }),
  {
    writeResponse: plain,
    readResponse: (body) => {
      const r = reader(body);
      return {
        acknowledged: r.boolean('acknowledged'),
        warnings: r.list('warnings', ValueReader.asString, WARNINGS_MAX),
      };
    },
  },
);

export const DELETE_TEMPLATES: ActionCodec<DeleteTemplatesMessage, AcknowledgedMessage> = acknowledgedAction(
  'indices:admin/index_template/delete',
  (r) => ({
    kind: r.oneOf('kind', TEMPLATE_KINDS),
    names: r.list('names', ValueReader.asString, NAMES_MAX),
  }),
);
