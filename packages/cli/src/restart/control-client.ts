/** Asks a running `shoal up` through the file in its data folder. */
import { createConnection } from 'node:net';
import { resolve as absolute } from 'node:path';
import { createInterface } from 'node:readline';
import { type Control, readControl } from '../processes/control-file.ts';
import type { ControlAnswer, ControlRequest, Supervised, SupervisedNode } from '../processes/control-server.ts';

type Command<R = ControlRequest> = R extends ControlRequest ? Omit<R, 'secret'> : never;

export interface ControlClient {
  nodes(): Promise<readonly SupervisedNode[]>;
  restart: Supervised['restart'];
}

/** Throws when no `shoal up` runs on that folder. */
export async function connectControl(dataPath: string): Promise<ControlClient> {
  const shown = absolute(dataPath);
  const control = await readControl(dataPath);
  if (control === null) throw new Error(`no [shoal up] runs on the data folder [${shown}]; --data names another`);
  const ask = async (command: Command): Promise<ControlAnswer> => {
    const answer = await askOnce(control, command, shown);
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  };
  return {
    nodes: async () => {
      const answer = await ask({ command: 'nodes' });
      return 'nodes' in answer ? answer.nodes : [];
    },
    restart: async (node) => {
      await ask({ command: 'restart', node });
    },
  };
}

function askOnce({ port, secret }: Control, command: Command, shown: string): Promise<ControlAnswer> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    const gone = (why: string): Error => new Error(`the [shoal up] of the data folder [${shown}] ${why}`);
    socket.once('error', (error) => reject(gone(`does not answer, it was killed most likely: ${error.message}`)));
    socket.once('close', () => reject(gone('ended before it answered')));
    createInterface({ input: socket }).once('line', (line) => resolve(JSON.parse(line) as ControlAnswer));
    socket.write(`${JSON.stringify({ ...command, secret })}\n`);
  });
}
