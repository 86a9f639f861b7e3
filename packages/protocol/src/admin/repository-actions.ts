/** Snapshot repositories as messages: any node → elected cluster manager → every data node. */

import { REPOSITORY_SETTINGS_MAX, type RepositoryMetadata } from '@shoal/cluster-state';
import { type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';
import {
  type AcknowledgedMessage,
  acknowledgedAction,
  EMPTY_ANSWER,
  managerAction,
  plain,
  reader,
  type TimeoutsMessage,
} from './manager-codec.ts';

export interface PutRepositoryMessage extends TimeoutsMessage {
  readonly name: string;
  readonly type: string;
  /** Values as text. */
  readonly settings: Readonly<Record<string, string>>;
  /** Every data node must reach it, or it is not put. */
  readonly verifies: boolean;
}

export interface DeleteRepositoriesMessage extends TimeoutsMessage {
  /** Names and patterns of names. */
  readonly names: readonly string[];
}

export interface RepositoryMessage extends TimeoutsMessage {
  readonly repository: string;
}

export interface VerifiedNodes {
  readonly nodes: readonly { readonly id: string; readonly name: string }[];
}

export interface CleanupResult {
  readonly deletedBytes: number;
  readonly deletedBlobs: number;
}

export interface CheckRepositoryMessage {
  readonly repository: RepositoryMetadata;
  /** Folder of this check in the repository: letters and digits. */
  readonly token: string;
}

const NAMES_MAX = 10_000;
const NODES_MAX = 10_000;

const readRepository = (r: ValueReader): { readonly repository: string } => ({ repository: r.string('repository') });

const readVerifiedNode: ItemReader<VerifiedNodes['nodes'][number]> = (value, field) => {
  const r = ValueReader.of(value, field);
  return { id: r.string('id'), name: r.string('name') };
};

export const PUT_REPOSITORY: ActionCodec<PutRepositoryMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/repository/put',
  (r) => ({
    name: r.string('name'),
    type: r.string('type'),
    settings: r.map('settings', ValueReader.asString, REPOSITORY_SETTINGS_MAX),
    verifies: r.boolean('verifies'),
  }),
);

export const DELETE_REPOSITORIES: ActionCodec<DeleteRepositoriesMessage, AcknowledgedMessage> = acknowledgedAction(
  'cluster:admin/repository/delete',
  (r) => ({ names: r.list('names', ValueReader.asString, NAMES_MAX) }),
);

export const VERIFY_REPOSITORY: ActionCodec<RepositoryMessage, VerifiedNodes> = managerAction(
  'cluster:admin/repository/verify',
  readRepository,
  {
    writeResponse: plain,
    readResponse: (body) => ({ nodes: reader(body).list('nodes', readVerifiedNode, NODES_MAX) }),
  },
);

export const CLEANUP_REPOSITORY: ActionCodec<RepositoryMessage, CleanupResult> = managerAction(
  'cluster:admin/repository/_cleanup',
  readRepository,
  {
    writeResponse: plain,
    readResponse: (body) => {
      const r = reader(body);
      return {
        deletedBytes: r.integer('deletedBytes', 0, Number.MAX_SAFE_INTEGER),
        deletedBlobs: r.integer('deletedBlobs', 0, Number.MAX_SAFE_INTEGER),
      };
    },
  },
);

/** Cluster manager → node: reads what the manager wrote into the repository, and writes beside it. */
export const CHECK_REPOSITORY: ActionCodec<CheckRepositoryMessage, null> = {
  name: 'internal:admin/repository/verify[n]',
  writeRequest: ({ repository, token }) => ({
    message: { ...repository, settings: { ...repository.settings }, token },
  }),
  readRequest: (body) => {
    const r = reader(body);
    return {
      repository: {
        name: r.string('name'),
        type: r.string('type'),
        settings: r.map('settings', ValueReader.asString, REPOSITORY_SETTINGS_MAX),
      },
      token: r.string('token'),
    };
  },
  ...EMPTY_ANSWER,
};
