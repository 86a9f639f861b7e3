/**
 * Lines between a file of tests and the run that lends it a node: JSON over a connection of loopback. The connection is the lease: when it
 * ends, however the process of the file ended, the node is free for another file.
 */
import type { Socket } from 'node:net';

/** Variable of the environment by which a run tells its address to the processes of its files. */
export const RUN_VARIABLE = 'SHOAL_TEST_RUN';

/** What a file sends: it begins a test. */
export const BEGIN_TEST = 'test';

/** What a run answers, to the connection itself and to each line of a file. */
export type RunAnswer = { readonly url: string } | { readonly failure: string };

/** Characters of one line: a failure with its trace is the longest. */
const LINE_CHARS_MAX = 1_000_000;

/** Calls back with each line; a line beyond all measure ends the connection. */
export function onLines(socket: Socket, take: (line: string) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
    if (rest.length > LINE_CHARS_MAX) socket.destroy(new Error(`a line of more than ${LINE_CHARS_MAX} characters`));
  });
}
