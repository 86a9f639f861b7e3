/**
 * Names a task in the cluster: the node that runs it, and its number there.
 */
import { illegalArgument } from '@shoal/core';

export interface TaskId {
  readonly nodeId: string;
  readonly id: number;
}

/** The node's own ids have no colon. */
const FORM = /^(.+):(\d{1,15})$/;

/** Throws 400 for what is not `node:number`. */
export function parseTaskId(text: string): TaskId {
  const [, nodeId, id] = FORM.exec(text) ?? [];
  if (nodeId === undefined || id === undefined) throw illegalArgument(`malformed task id ${text}`);
  return { nodeId, id: Number(id) };
}
