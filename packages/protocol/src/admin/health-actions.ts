/** Why the cluster is not green: any node → elected cluster manager. Channel `reg`. */
import { readPlainObject } from '@shoal/cluster-state';
import { ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import { plain, reader } from './manager-codec.ts';

const NAMES_MAX = 100_000;

export interface ExplainHealthMessage {
  /** Concrete names; null: all. */
  readonly indices: readonly string[] | null;
  readonly isDryRun: boolean;
}

export const EXPLAIN_HEALTH: ActionCodec<ExplainHealthMessage, Readonly<Record<string, unknown>>> = {
  name: 'cluster:monitor/health/why',
  writeRequest: plain,
  readRequest: (body) => {
    const r = reader(body);
    return {
      indices: r.has('indices') ? r.list('indices', ValueReader.asString, NAMES_MAX) : null,
      isDryRun: r.boolean('isDryRun'),
    };
  },
  writeResponse: plain,
  readResponse: (body) => readPlainObject(body.message, 'health'),
};
