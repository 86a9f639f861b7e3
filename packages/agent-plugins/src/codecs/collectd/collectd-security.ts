/**
 * Who sent a packet of collectd, by a signature or by being able to encrypt it. Passwords stand in a file that is read again
 * when it changes.
 */

import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { optionError } from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';

const ENTRY = /([^:]+): (.+)/;
const SIGNATURE_BYTES = 32;
const IV_BYTES = 16;
const CHECKSUM_BYTES = 20;

export class CollectdSecurity {
  private readonly path: string;
  private passwords: ReadonlyMap<string, string>;
  private changedMs: number;

  /** @throws ShoalError for a file that cannot be read */
  constructor(path: string) {
    this.path = path;
    try {
      this.changedMs = statSync(path).mtimeMs;
      this.passwords = readPasswords(path);
    } catch (error) {
      throw optionError(`[authfile => ${path}] cannot be read: ${messageOf(error)}`);
    }
  }

  /** Whether the rest of a packet was signed by the user whom the part of the signature names. */
  isSigned(part: Buffer, rest: Buffer): boolean {
    if (part.length <= SIGNATURE_BYTES) return false;
    const user = part.subarray(SIGNATURE_BYTES);
    const password = this.passwordOf(user.toString('utf8'));
    if (password === null) return false;
    const expected = createHmac('sha256', password).update(user).update(rest).digest();
    return timingSafeEqual(expected, part.subarray(0, SIGNATURE_BYTES));
  }

  /** The parts of an encrypted packet; null for what nobody known has encrypted. */
  decrypted(part: Buffer): Buffer | null {
    const userEnd = part.length < 2 ? Number.POSITIVE_INFINITY : 2 + part.readUInt16BE(0);
    const contentStart = userEnd + IV_BYTES;
    if (contentStart + CHECKSUM_BYTES >= part.length) return null;
    const password = this.passwordOf(part.toString('utf8', 2, userEnd));
    if (password === null) return null;
    const key = createHash('sha256').update(password).digest();
    const decipher = createDecipheriv('aes-256-ofb', key, part.subarray(userEnd, contentStart));
    const plain = Buffer.concat([decipher.update(part.subarray(contentStart)), decipher.final()]);
    const contents = plain.subarray(CHECKSUM_BYTES);
    const checksum = createHash('sha1').update(contents).digest();
    return timingSafeEqual(checksum, plain.subarray(0, CHECKSUM_BYTES)) ? contents : null;
  }

  private passwordOf(user: string): string | null {
    try {
      const changedMs = statSync(this.path).mtimeMs;
      if (changedMs !== this.changedMs) {
        this.passwords = readPasswords(this.path);
        this.changedMs = changedMs;
      }
    } catch {
      // A file that is being replaced: the passwords that were read count until there is another one.
    }
    return this.passwords.get(user) ?? null;
  }
}

function readPasswords(path: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, user, password] = ENTRY.exec(line) ?? [];
    if (user !== undefined && password !== undefined) found.set(user, password);
  }
  return found;
}
