/**
 * One copy of a shard asks another: data node → data node. Both ends are the threads that own the copies; the nodes between them
 * know to whom it goes and nothing of what it says. Channels `bulk`, and `recovery` for files.
 */
import { assert, ValueReader } from '@shoal/core';
import type { ActionCodec, WireBody } from '@shoal/transport';
import { readShardTarget, type ShardTarget, writeShardTarget } from '../documents/shard-target.ts';

export interface CopyMessage {
  /** The copy that is asked. The version is that of the sender's state, which the receiver does not wait for. */
  readonly target: ShardTarget;
  /** Version of the mapping that the sender has: the receiver's engine needs it before it executes what came with it. */
  readonly mappingVersion: number;
  /** Made by `writeCopyCall`. */
  readonly call: WireBody;
}

export interface CopyMessageAnswer {
  /** Made by `writeCopyResponse`. */
  readonly response: WireBody;
}

export const COPY_MESSAGE: ActionCodec<CopyMessage, CopyMessageAnswer> = {
  name: 'indices:data/write/replication[copy]',
  writeRequest: ({ target, mappingVersion, call }) => {
    assert(mappingVersion >= 0, `a copy of [${target.index}] is asked under mapping version ${mappingVersion}`);
    return {
      message: { target: writeShardTarget(target), mappingVersion, call: call.message },
      ...sectionsOf(call),
    };
  },
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    return {
      target: readShardTarget(r.raw('target'), 'target'),
      mappingVersion: r.integer('mappingVersion', 0, Number.MAX_SAFE_INTEGER),
      call: { message: r.raw('call'), ...sectionsOf(body) },
    };
  },
  writeResponse: ({ response }) => ({ message: { response: response.message }, ...sectionsOf(response) }),
  readResponse: (body) => ({
    response: { message: ValueReader.of(body.message).raw('response'), ...sectionsOf(body) },
  }),
};

function sectionsOf({ sections }: WireBody): Pick<WireBody, 'sections'> {
  return { sections: sections ?? [] };
}
