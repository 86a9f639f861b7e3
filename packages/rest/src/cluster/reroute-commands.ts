/** Commands in the body of `_cluster/reroute`: `{ "move": { … } }`, read with their errors. */
import { illegalArgument } from '@shoal/core';
import type { RerouteCommand } from '@shoal/protocol';
import { checkKeys, flagAt, isJsonObject, type JsonObject, textAt } from '../request/json-body.ts';

type Reader = (fields: JsonObject, copy: { readonly index: string; readonly shard: number }) => RerouteCommand;

interface Command {
  readonly keys: readonly string[];
  readonly read: Reader;
}

/** By name: fields beside the copy that is meant, and what they make. */
const COMMANDS: Readonly<Record<string, Command>> = {
  allocate_replica: {
    keys: ['node'],
    read: (fields, copy) => ({ kind: 'allocate_replica', ...copy, node: required(fields, 'allocate_replica', 'node') }),
  },
  allocate_stale_primary: primaryCommand('allocate_stale_primary'),
  allocate_empty_primary: primaryCommand('allocate_empty_primary'),
  move: {
    keys: ['from_node', 'to_node'],
    read: (fields, copy) => ({
      kind: 'move',
      ...copy,
      fromNode: required(fields, 'move', 'from_node'),
      toNode: required(fields, 'move', 'to_node'),
    }),
  },
  cancel: {
    keys: ['node', 'allow_primary'],
    read: (fields, copy) => ({
      kind: 'cancel',
      ...copy,
      node: required(fields, 'cancel', 'node'),
      allowPrimary: flagAt(fields, 'allow_primary') ?? false,
    }),
  },
};

function primaryCommand(kind: 'allocate_stale_primary' | 'allocate_empty_primary'): Command {
  return {
    keys: ['node', 'accept_data_loss'],
    read: (fields, copy) => ({
      kind,
      ...copy,
      node: required(fields, kind, 'node'),
      acceptDataLoss: flagAt(fields, 'accept_data_loss') ?? false,
    }),
  };
}

export function readRerouteCommands(value: unknown): readonly RerouteCommand[] {
  if (!Array.isArray(value)) throw illegalArgument('[cluster_reroute] failed to parse field [commands]');
  return value.map(readCommand);
}

function readCommand(value: unknown): RerouteCommand {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  const [entry] = entries;
  if (entries.length !== 1 || entry === undefined) {
    throw illegalArgument('[cluster_reroute] a command is an object with the name of the command as its only field');
  }
  const [name, fields] = entry;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw illegalArgument(`Unknown AllocationCommand [${name}]`);
  if (!isJsonObject(fields)) throw illegalArgument(`[${name}] command is not an object`);
  checkKeys(fields, ['index', 'shard', ...command.keys], (key) => `[${name}] unknown field [${key}]`);
  return command.read(fields, { index: required(fields, name, 'index'), shard: shardOf(fields, name) });
}

function required(fields: JsonObject, command: string, key: string): string {
  const text = textAt(fields, key);
  if (text === null) throw illegalArgument(`[${command}] command missing the [${key}] parameter`);
  return text;
}

function shardOf({ shard }: JsonObject, command: string): number {
  const number = typeof shard === 'string' ? Number(shard) : shard;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number < 1_024) return number;
  throw illegalArgument(`[${command}] failed to parse field [shard]`);
}
