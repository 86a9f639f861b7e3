/**
 * The one user of a server that asks for a password: who has it may do everything, anybody else nothing.
 *
 * A comparison takes as long for a password that is nearly right as for any other, so that nobody finds it letter by letter.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { ShoalError } from '@shoal/core';

/** Value of `WWW-Authenticate`, which makes clients and browsers send a user and a password. */
export const BASIC_CHALLENGE = 'Basic realm="security" charset="UTF-8"';
const SCHEME = /^basic +([a-z0-9+/]+={0,2}) *$/i;
const HEADER_CHARS_MAX = 4_096;

export class BasicCredentials {
  readonly #digest: Buffer;

  constructor(user: string, password: string) {
    this.#digest = digestOf(`${user}:${password}`);
  }

  /**
   * @param authorization value of the header `Authorization`
   * @param target path and query of the request, for the text of the error
   * @returns the error 401, or null for whoever has the password
   */
  refusal(authorization: string | undefined, target: string): ShoalError | null {
    const sent = authorization === undefined ? null : decoded(authorization);
    if (sent === null) return unauthenticated(`missing authentication credentials for REST request [${target}]`);
    if (timingSafeEqual(digestOf(sent), this.#digest)) return null;
    const [user = ''] = sent.split(':', 1);
    return unauthenticated(`unable to authenticate user [${user}] for REST request [${target}]`);
  }
}

/** `user:password`; null for a header of another scheme, or a garbled one. */
function decoded(authorization: string): string | null {
  if (authorization.length > HEADER_CHARS_MAX) return null;
  const encoded = SCHEME.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  return text.includes(':') ? text : null;
}

/** Digests have one length whatever was sent, which the comparison needs. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function unauthenticated(reason: string): ShoalError {
  return new ShoalError('security_exception', 401, reason, {
    details: { header: { 'WWW-Authenticate': BASIC_CHALLENGE } },
  });
}
