/**
 * What answers at an address and port: one TCP connection, at most one short question, no guess.
 */

import { connect } from 'node:net';
import { showHostPort } from '@shoal/core';

export type PortFinding =
  | { readonly kind: 'unresolved' }
  | { readonly kind: 'refused' }
  /** No answer at all: a firewall drops what is sent there, or nothing has that address. */
  | { readonly kind: 'filtered' }
  | { readonly kind: 'unreachable'; readonly text: string }
  /** The port said that it is no HTTP port, in the words of our transport. */
  | { readonly kind: 'transport' }
  | { readonly kind: 'http'; readonly body: string }
  /** The port accepted and said nothing, or something foreign. */
  | { readonly kind: 'foreign'; readonly text: string };

const CONNECT_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 3_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** Asks as HTTP would: an HTTP server answers, and our transport port says what it is. */
export function probePort(host: string, port: number): Promise<PortFinding> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    let received = '';
    let isConnected = false;
    const finish = (finding: PortFinding): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(finding);
    };
    const give = (): void => finish(isConnected ? readAnswer(received) : { kind: 'filtered' });
    let timer = setTimeout(give, CONNECT_TIMEOUT_MS);
    socket.once('connect', () => {
      isConnected = true;
      clearTimeout(timer);
      timer = setTimeout(give, ANSWER_TIMEOUT_MS);
      socket.write(`GET / HTTP/1.1\r\nhost: ${showHostPort({ host, port })}\r\nconnection: close\r\n\r\n`);
    });
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received.length > ANSWER_BYTES_MAX) give();
    });
    socket.once('close', give);
    socket.once('error', (error: NodeJS.ErrnoException) =>
      finish(isConnected ? readAnswer(received) : readDialError(error)),
    );
  });
}

function readAnswer(text: string): PortFinding {
  if (text.startsWith('This is not an HTTP port')) return { kind: 'transport' };
  if (text.startsWith('HTTP/')) return { kind: 'http', body: text.slice(text.indexOf('\r\n\r\n') + 4) };
  return { kind: 'foreign', text: text.slice(0, 80) };
}

function readDialError(error: NodeJS.ErrnoException): PortFinding {
  switch (error.code) {
    case 'ECONNREFUSED':
      return { kind: 'refused' };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { kind: 'unresolved' };
    case 'ETIMEDOUT':
      return { kind: 'filtered' };
    default:
      return { kind: 'unreachable', text: error.message };
  }
}
